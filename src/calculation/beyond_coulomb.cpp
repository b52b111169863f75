#include "calculation/beyond_coulomb.hpp"

#include "breit/retarded.hpp"
#include "calculation/calculation.hpp"

namespace prophet {

TwoElectronOperator scfOperator(const BeyondCoulomb& beyond) {
  return beyond.breitSelfConsistent ? beyond.operation : TwoElectronOperator::Coulomb;
}

BeyondCoulombTerms::BeyondCoulombTerms(const Calculation& c, const RadialGrid& breitGrid)
    : grid(breitGrid),
      breit(
          c.basis, breitGrid,
          c.job.beyondCoulomb.breitFrequency ? TwoElectronOperator::Coulomb : c.job.beyondCoulomb.operation),
      qed(qedTerms(c.basis, c.nucleus, c.job.speedOfLight, c.job.beyondCoulomb.qed)) {}

std::vector<EnergyCorrection> energyCorrections(const Calculation& c, const BeyondCoulombTerms& terms,
                                                const ScfResult& scf, ThreadPool& pool) {
  const BeyondCoulomb& beyond = c.job.beyondCoulomb;
  std::vector<EnergyCorrection> list;
  if (beyond.breit()) {
    const BreitEnergy energy =
        beyond.breitFrequency
            ? retardedBreitEnergy(c.basis, terms.grid, c.configuration, scf, c.job.speedOfLight, pool)
            : breitEnergy(c.basis, terms.grid, c.configuration, scf, terms.breit, pool);
    list = breitCorrections(beyond.operation, energy, beyond.breitSelfConsistent);
  }
  for (EnergyCorrection& part : qedCorrections(terms.qed, scf, beyond.qedSelfConsistent))
    list.push_back(std::move(part));
  return list;
}

double totalWithCorrections(const ScfResult& scf, const std::vector<EnergyCorrection>& corrections) {
  return scf.energy.total + firstOrderSum(corrections);
}

}  // namespace prophet

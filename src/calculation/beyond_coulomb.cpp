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
    list.push_back({CorrectionKind::Breit, "Gaunt", energy.gaunt, beyond.breitSelfConsistent});
    if (beyond.operation == TwoElectronOperator::CoulombBreit)
      list.push_back({CorrectionKind::Breit, "Breit gauge", energy.gauge, beyond.breitSelfConsistent});
  }
  const std::vector<double> values =
      beyond.qedSelfConsistent ? scf.energy.extra : firstOrderEnergies(terms.qed, scf);
  for (std::size_t i = 0; i < terms.qed.size(); ++i)
    list.push_back({CorrectionKind::Qed, terms.qed[i].name, values.at(i), beyond.qedSelfConsistent});
  return list;
}

double totalWithCorrections(const ScfResult& scf, const std::vector<EnergyCorrection>& corrections) {
  return scf.energy.total + firstOrderSum(corrections);
}

}  // namespace prophet

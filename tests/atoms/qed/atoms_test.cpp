#include <gtest/gtest.h>

#include <cmath>

#include "atoms/breit/breit.hpp"
#include "atoms/qed/qed.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

struct Corrections {
  double coulomb, breit, vacuumPolarisation, kallenSabry, selfEnergy;
};

BasisSet evenTempered(int symmetries, double first, double last) {
  BasisSet basis;
  for (const Symmetry s : firstSymmetries(symmetries)) {
    std::vector<double> exponents;
    const double top = last / std::pow(20.0, s.l());
    for (double zeta = first * (1.0 + s.l()); zeta < top; zeta *= 1.9) exponents.push_back(zeta);
    basis.symmetries.push_back({s, exponents});
  }
  return basis;
}

Corrections corrections(double z, const char* configuration, const BasisSet& basis, SelfEnergyFit fit) {
  NucleusRequest request;
  request.model = NuclearModel::Fermi;
  request.charge = z;
  const Nucleus nucleus = makeNucleus(request);
  const Configuration c = parseConfiguration(configuration);
  ThreadPool pool(2);
  const RadialGrid grid = fockGrid(basis);
  const auto builder = makeGridBuilder(basis, grid, TwoElectronOperator::Coulomb, pool);
  ScfOptions options;
  options.thresholdLL = options.thresholdSL = 1e-8;
  const ScfResult scf = runScf({basis, nucleus, c, constants::kSpeedOfLight}, *builder, options, pool);
  EXPECT_TRUE(scf.converged);
  QedOptions qed;
  qed.vacuumPolarisation = qed.kallenSabry = qed.selfEnergy = true;
  qed.fit = fit;
  const auto e = firstOrderEnergies(qedTerms(basis, nucleus, constants::kSpeedOfLight, qed), scf);
  const BreitEnergy breit = breitEnergy(basis, grid, c, scf, TwoElectronOperator::CoulombBreit, pool);
  return {scf.energy.total, breit.total(), e[0], e[1], e[2]};
}

/// Independent numerical program, Fermi nuclei: lithium-like uranium, Breit 13.3645, vacuum polarisation
/// -7.5037, self-energy 28.6847; neutral rubidium, 1.5684, -0.12399 and 1.1641 hartree. Breit agrees to all
/// its digits. Its vacuum polarisation is 1.5 % larger than that of the Uehling potential and 0.7 to 0.9 %
/// larger than with the Kallen-Sabry potential added. Its self-energy is that of hydrogen-like ions scaled
/// for screening; ours is 1 to 2 % below.
TEST(Atoms, LithiumlikeUranium) {
  const Corrections c = corrections(92.0, "1s2 2s1", evenTempered(1, 10.0, 2e10), SelfEnergyFit::InnerShell);
  EXPECT_NEAR(c.breit, 13.3645, 6e-5);
  EXPECT_NEAR(c.vacuumPolarisation, -7.39643, 2e-5);
  EXPECT_NEAR(c.vacuumPolarisation + c.kallenSabry, -7.5037, 0.008 * 7.5037);
  EXPECT_NEAR(c.selfEnergy, 28.6847, 0.025 * 28.6847);
}

TEST(Atoms, Rubidium) {
  const Corrections c = corrections(37.0, "[Kr] 5s1", evenTempered(5, 0.004, 1e9), SelfEnergyFit::InnerShell);
  EXPECT_NEAR(c.breit, 1.5684, 6e-5);
  EXPECT_NEAR(c.vacuumPolarisation + c.kallenSabry, -0.12399, 0.010 * 0.12399);
  EXPECT_NEAR(c.selfEnergy, 1.1641, 0.015 * 1.1641);
}

/// Self-consistent corrections: to second order E = E_0 + E_1 + x, <V> = E_1 + 2 x, x < 0.
TEST(Atoms, SelfConsistentCorrections) {
  const BasisSet basis = evenTempered(3, 1.0, 1e8);
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = 54.0;
  const Nucleus nucleus = makeNucleus(request);
  const Configuration c = parseConfiguration("1s2 2s2 2p6");
  ThreadPool pool(2);
  const auto builder = makeGridBuilder(basis, fockGrid(basis), TwoElectronOperator::Coulomb, pool);
  ScfOptions options;
  options.thresholdLL = options.thresholdSL = 1e-9;
  options.energyThreshold = 1e-14;
  QedOptions qed;
  qed.vacuumPolarisation = qed.selfEnergy = true;
  const auto terms = qedTerms(basis, nucleus, constants::kSpeedOfLight, qed);
  ASSERT_EQ(terms.size(), 2u);
  const auto run = [&](const std::vector<OneElectronTerm>& extra) {
    return runScf({basis, nucleus, c, constants::kSpeedOfLight, extra}, *builder, options, pool);
  };
  const ScfResult bare = run({}), dressed = run(terms);
  const std::vector<double> first = firstOrderEnergies(terms, bare),
                            last = firstOrderEnergies(terms, dressed);
  EXPECT_NEAR(last[0], dressed.energy.value(EnergyPartId::VacuumPolarisation), 1e-10);
  EXPECT_NEAR(last[1], dressed.energy.value(EnergyPartId::SelfEnergy), 1e-10);
  const double x = dressed.energy.total - bare.energy.total - first[0] - first[1];
  EXPECT_LT(x, 0.0);
  EXPECT_NEAR(last[0] + last[1] - first[0] - first[1], 2.0 * x, 0.02 * std::abs(x));
  EXPECT_THROW(run({{EnergyPartId::External, {}}}), Error);
}

}  // namespace
}  // namespace prophet

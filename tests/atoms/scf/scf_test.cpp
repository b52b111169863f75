#include "atoms/scf/scf.hpp"

#include <gtest/gtest.h>

#include "atoms.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// One electron, point nucleus: Dirac's formula, for s1/2 and p3/2, light and heavy.
TEST(Scf, HydrogenLikeIons) {
  const double c = constants::kSpeedOfLight;
  for (const double z : {1.0, 30.0, 80.0}) {
    test::TestAtom atom;
    atom.nucleus = test::nucleusOf(z, NuclearModel::Point);
    for (const bool p : {false, true}) {
      atom.configuration = averageConfigurations({0, 0, 0}, {!p, false, p}, {{1}}, "one electron");
      atom.basis = test::evenTempered(atom.configuration, 0.005 * z * z, 1e11 * z * z, 1.7);
      const ScfResult result = test::runGrid(atom);
      ASSERT_TRUE(result.converged);
      const double k = p ? 2 : 1, n = p ? 2 : 1, gamma = std::sqrt(k * k - z * z / (c * c));
      const double nEffective = n - k + gamma;
      const double exact = c * c * (1 / std::sqrt(1 + std::pow(z / c / nEffective, 2)) - 1);
      EXPECT_NEAR(result.energy.total / exact, 1.0, 2e-9) << z << (p ? " p3/2" : " s1/2");
      EXPECT_NEAR(result.energy.value(EnergyPartId::ElectronRepulsion), 0.0, 1e-10 * std::abs(exact));
      EXPECT_NEAR(result.virialRatio, 1.0, 1e-7);
    }
  }
}

/// Both Fock builders give the same energies and spinors: closed shells, and one, two and many open ones.
TEST(Scf, GridAndStoredIntegralsAgree) {
  for (const int z : {2, 10, 18, 36, 6, 24, 41}) {
    const test::TestAtom atom = test::libraryAtom(z);
    StoredFockBuilder builder(atom.basis, 2);
    const ScfResult stored = test::run(atom, builder), grid = test::runGrid(atom);
    ASSERT_TRUE(stored.converged && grid.converged) << symbolOf(z);
    EXPECT_EQ(stored.iterations.size(), grid.iterations.size()) << symbolOf(z);
    EXPECT_NEAR(grid.energy.total / stored.energy.total, 1.0, 1e-11) << symbolOf(z);
    for (std::size_t a = 0; a < stored.symmetries.size(); ++a) {
      for (Eigen::Index i = 0; i < stored.symmetries[a].energies.size(); ++i) {
        EXPECT_NEAR(grid.symmetries[a].energies(i) / stored.symmetries[a].energies(i), 1.0, 1e-9)
            << symbolOf(z);
      }
    }
  }
}

/// Every extrapolation ends at the same energy.
TEST(Scf, ExtrapolationsAgree) {
  const test::TestAtom atom = test::libraryAtom(18);
  const double diis = test::runGrid(atom).energy.total;
  for (const Extrapolation kind : {Extrapolation::None, Extrapolation::Fock}) {
    ScfOptions options;
    options.extrapolation = kind;
    options.maxIterations = 200;
    const ScfResult result = test::runGrid(atom, options);
    EXPECT_TRUE(result.converged);
    EXPECT_NEAR(result.energy.total, diis, 1e-8);
  }
}

TEST(Scf, NoConvergenceIsSaid) {
  ScfOptions options;
  options.maxIterations = 3;
  const ScfResult result = test::runGrid(test::libraryAtom(18), options);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations.size(), 3u);
  EXPECT_TRUE(std::isfinite(result.energy.total));
}

/// Thresholds that rounding does not let the density meet do not keep a converged energy from being one; the
/// remark says what rounding does.
TEST(Scf, RoundingEndsTheIterations) {
  const test::TestAtom atom = test::libraryAtom(18);
  ScfOptions options;
  options.thresholdLL = options.thresholdSL = options.thresholdSS = 1e-18;
  options.maxIterations = 60;
  const ScfResult result = test::runGrid(atom, options);
  ASSERT_TRUE(result.converged);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks.front().id, "scf_rounding");
  EXPECT_LT(result.iterations.back().densityChangeLL, 1e-8);
  EXPECT_NEAR(result.energy.total, test::runGrid(atom).energy.total, 1e-10);
  ScfIteration moving = result.iterations.back();
  moving.energyChange = 1e-9;
  EXPECT_FALSE(isAtRounding(moving));
}

/// Twice the same exponent: the direction is dropped, and the energy is that of the basis without the copy.
TEST(Scf, NearDependentFunctionsAreDropped) {
  test::TestAtom atom = test::libraryAtom(2);
  const double clean = test::runGrid(atom).energy.total;
  atom.basis.symmetries[0].exponents.push_back(atom.basis.symmetries[0].exponents[5]);
  const ScfResult result = test::runGrid(atom);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.symmetries[0].droppedLarge, 1);
  EXPECT_EQ(result.symmetries[0].droppedSmall, 1);
  EXPECT_NEAR(result.energy.total, clean, 1e-9);
}

TEST(Scf, TooFewFunctionsIsAnError) {
  test::TestAtom atom = test::libraryAtom(18);
  atom.basis.symmetries[0].exponents.resize(2);
  EXPECT_THROW(test::runGrid(atom), Error);
  atom = test::libraryAtom(18);
  atom.basis.symmetries.resize(2);
  EXPECT_THROW(test::runGrid(atom), Error);
}

TEST(Scf, ObserverSeesEveryIteration) {
  const test::TestAtom atom = test::libraryAtom(10);
  ThreadPool pool(1);
  GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
  std::vector<double> energies;
  const ScfResult result =
      runScf({atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight}, builder, {}, pool,
             [&](const ScfIteration& step) { energies.push_back(step.energy); });
  ASSERT_EQ(energies.size(), result.iterations.size());
  EXPECT_EQ(energies.back(), result.energy.total);
}

/// Open-shell atoms of every block converge from the default guess in a handful of iterations.
TEST(Scf, OpenShellAtomsConverge) {
  for (const int z : {6, 7, 24, 26, 64, 79, 92}) {
    test::TestAtom atom;
    atom.nucleus = test::nucleusOf(z, NuclearModel::Gaussian);
    atom.configuration = parseConfiguration(groundConfiguration(z));
    atom.basis = test::evenTempered(atom.configuration, 0.01, 2e8, 2.3);
    const ScfResult result = test::runGrid(atom);
    EXPECT_TRUE(result.converged) << symbolOf(z);
    EXPECT_LT(result.iterations.size(), 25u) << symbolOf(z);
  }
}

}  // namespace
}  // namespace prophet

#include <gtest/gtest.h>

#include <cmath>

#include "default_case.hpp"

namespace prophet {
namespace {

using test::nucleusOf;
constexpr OneElectronOperator kNonrelativistic = OneElectronOperator::Nonrelativistic;
constexpr OneElectronOperator kSpinFree = OneElectronOperator::SpinFreeX2c;

TEST(DefaultBasis, FitsNonrelativisticAtoms) {
  for (const int z : {1, 2, 6, 10, 26})
    test::expectGoodDefault(nucleusOf(z, NuclearModel::Point), groundConfiguration(z), NAN, kNonrelativistic);
  test::expectGoodDefault(nucleusOf(18, NuclearModel::Sphere), "[Ar]", NAN, kNonrelativistic);
  test::expectGoodDefault(nucleusOf(30, NuclearModel::Fermi), groundConfiguration(30), NAN, kNonrelativistic);
  test::expectGoodDefault(nucleusOf(9, NuclearModel::Gaussian), "1s2 2s2 2p6", NAN, kNonrelativistic);
}

/// Dirac's exponents for a point nucleus, up to 1e20, drowned the kinetic energies of these.
TEST(DefaultBasis, FitsHeavyNonrelativisticAtoms) {
  test::expectGoodDefault(nucleusOf(50, NuclearModel::Point), groundConfiguration(50), -6022.9141674262,
                          kNonrelativistic);
  test::expectGoodDefault(nucleusOf(54, NuclearModel::Point), "[Xe]", -7232.138363871597, kNonrelativistic);
  test::expectGoodDefault(nucleusOf(80, NuclearModel::Gaussian), groundConfiguration(80), -18408.3417988165,
                          kNonrelativistic);
  test::expectGoodDefault(nucleusOf(118, NuclearModel::Point), groundConfiguration(118), -46324.3558150798,
                          kNonrelativistic);
}

TEST(DefaultBasis, FitsSpinFreeAtoms) {
  for (const int z : {2, 10, 36, 80, 118}) {
    for (const NuclearModel model : {NuclearModel::Gaussian, NuclearModel::Point})
      test::expectGoodDefault(nucleusOf(z, model), groundConfiguration(z), NAN, kSpinFree);
  }
}

TEST(DefaultBasis, SharesExponentsWhereJIsUnknown) {
  for (const OneElectronOperator kind : {kNonrelativistic, kSpinFree}) {
    AtomProblem problem{nucleusOf(36, NuclearModel::Gaussian), parseConfiguration("[Kr]"), {}};
    problem.hamiltonian.oneElectron = kind;
    const DefaultBasis choice = chooseBasis(problem);
    EXPECT_EQ(choice.basis.symmetries[1].exponents, choice.basis.symmetries[2].exponents);
    EXPECT_EQ(choice.basis.symmetries[3].exponents, choice.basis.symmetries[4].exponents);
    EXPECT_TRUE(choice.library.empty());
    EXPECT_NE(choice.reason.find(nameOf(kind)), std::string::npos) << choice.reason;
  }
}

/// Solved for apart, 6d3/2 and 6d5/2 went to 10 and 3 bohr, 0.05 hartree above the state in which they are
/// one.
TEST(DefaultBasis, BothJOfCuriumAreOneOrbital) {
  AtomProblem problem{nucleusOf(96, NuclearModel::Gaussian), parseConfiguration("[Rn] 5f7 6d1 7s2"), {}};
  problem.hamiltonian.oneElectron = kSpinFree;
  const DefaultBasis choice = chooseBasis(problem);
  const ScfResult scf = test::computeIn(choice.basis, problem, &*choice.start, test::Estimate::No).scf;
  EXPECT_NEAR(scf.energy.total, -31227.52729, 1e-4);
  EXPECT_TRUE(scf.symmetries[3].energies.isApprox(scf.symmetries[4].energies, 1e-8));
}

/// Poor sets of every Hamiltonian: the estimate is within a factor of 1.5 of the true error.
TEST(BasisError, IsThatOfTheHamiltonian) {
  for (const OneElectronOperator kind : {kNonrelativistic, kSpinFree, OneElectronOperator::X2c}) {
    SCOPED_TRACE(nameOf(kind));
    AtomProblem problem{nucleusOf(18, NuclearModel::Gaussian), parseConfiguration("[Ar]"), {}};
    problem.hamiltonian.oneElectron = kind;
    const BasisSet good = chooseBasis(problem).basis;
    BasisSet poor = good;
    for (SymmetryBasis& s : poor.symmetries) s.exponents.resize(s.exponents.size() - 6);
    for (SymmetryBasis& s : poor.symmetries) s.exponents.erase(s.exponents.begin(), s.exponents.begin() + 3);
    const auto result = test::computeIn(poor, problem);
    const double error = result.scf.energy.total - test::computeIn(good, problem).scf.energy.total;
    EXPECT_GT(error, 1e-4);
    EXPECT_LT(result.estimate.total(), 1.5 * error);
    EXPECT_GT(result.estimate.total(), error / 1.5);
    EXPECT_EQ(result.estimate.prolapse, 0);
  }
}

}  // namespace
}  // namespace prophet

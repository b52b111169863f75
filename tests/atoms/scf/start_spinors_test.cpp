#include "atoms/scf/guess.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "atoms.hpp"

namespace prophet {
namespace {

using test::TestAtom;

ScfResult solve(const TestAtom& atom, const StartSpinors* start, const ScfOptions& options = {}) {
  ThreadPool pool(1);
  GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
  return runScf({atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, {}, start}, builder,
                options, pool);
}

/// The well-tempered set of an atom with its parameters moved at random, each by up to `step` in its
/// logarithm.
BasisSet moved(int z, double step, std::mt19937& random) {
  WellTemperedSpec spec = readLibraryEntry(z, "wtbs-2.1-by-symmetry")->spec;
  std::uniform_real_distribution<double> move(-step, step);
  for (WellTemperedParameters& p : spec.groups) {
    p.alpha *= std::exp(move(random));
    p.beta = 1.0 + (p.beta - 1.0) * std::exp(move(random));
    p.delta *= std::exp(move(random));
    p.gamma *= std::exp(move(random));
  }
  return makeWellTempered(spec);
}

class WarmStart : public ::testing::TestWithParam<int> {};

TEST_P(WarmStart, GivesTheEnergyOfAColdOneInFewerIterations) {
  TestAtom atom = test::libraryAtom(GetParam());
  std::mt19937 random(GetParam());
  const ScfResult first = solve(atom, nullptr);
  ASSERT_TRUE(first.converged);
  const StartSpinors start = startSpinors(atom.basis, first);
  for (const double step : {1e-4, 0.01, 0.1, 0.3}) {
    atom.basis = moved(GetParam(), step, random);
    const ScfResult cold = solve(atom, nullptr), warm = solve(atom, &start);
    ASSERT_TRUE(cold.converged && warm.converged) << step;
    EXPECT_NEAR(warm.energy.total, cold.energy.total, 1e-12 * std::abs(cold.energy.total)) << step;
    // The default guess is as near as the spinors of a set a tenth away.
    if (step < 0.05) {
      EXPECT_LT(warm.iterations.size(), cold.iterations.size()) << step;
    } else {
      EXPECT_LE(warm.iterations.size(), cold.iterations.size()) << step;
    }
    ASSERT_EQ(warm.symmetries.size(), cold.symmetries.size());
    for (std::size_t a = 0; a < warm.symmetries.size(); ++a) {
      const Eigen::VectorXd &w = warm.symmetries[a].energies, &c = cold.symmetries[a].energies;
      // The energy has the square of the spinors' error; orbital energies have the error itself.
      for (int i = 0; i < c.size(); ++i)
        EXPECT_NEAR(w(i), c(i), 3e-6 * std::max(1.0, std::abs(c(i)))) << step;
    }
  }
}

/// Closed shells, one open p, d, f shell, several open shells, and a heavy atom.
INSTANTIATE_TEST_SUITE_P(Atoms, WarmStart, ::testing::Values(2, 5, 8, 10, 24, 41, 62, 86));

TEST(StartSpinors, ProjectionOntoTheSameBasisIsTheSame) {
  const TestAtom atom = test::libraryAtom(8);
  const StartSpinors start = startSpinors(atom.basis, solve(atom, nullptr));
  const auto matrices = oneElectronMatrices(atom.basis, atom.nucleus);
  for (int a = 0; a < static_cast<int>(matrices.size()); ++a) {
    const SymmetrySpace space = makeSymmetrySpace(matrices[a], constants::kSpeedOfLight, 1e-11);
    const Eigen::MatrixXd c = projectSpinors(start, a, atom.basis.symmetries[a], space);
    ASSERT_EQ(c.cols(), start.large[a].cols());
    EXPECT_LT((c.transpose() * c - Eigen::MatrixXd::Identity(c.cols(), c.cols())).norm(), 1e-12);
    EXPECT_LT((space.large.x * c.topRows(space.largeSize()) - start.large[a]).norm(),
              1e-7 * start.large[a].norm());
  }
}

TEST(StartSpinors, ThoseThatDoNotFitAreIgnored) {
  TestAtom atom = test::libraryAtom(8);
  const ScfResult cold = solve(atom, nullptr);
  const TestAtom krypton = test::libraryAtom(36);
  const StartSpinors others = startSpinors(krypton.basis, solve(krypton, nullptr));
  EXPECT_EQ(solve(atom, &others).energy.total, cold.energy.total);  // other numbers of spinors
  StartSpinors far = startSpinors(atom.basis, cold);
  for (SymmetryBasis& s : far.basis.symmetries) {
    for (double& zeta : s.exponents) zeta *= 1e9;  // out of the basis's reach
  }
  EXPECT_EQ(solve(atom, &far).energy.total, cold.energy.total);
  StartSpinors empty;
  EXPECT_EQ(solve(atom, &empty).energy.total, cold.energy.total);
}

}  // namespace
}  // namespace prophet

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "atoms.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "core/linalg/eigen_solver.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

using test::TestAtom;
using Kind = OneElectronOperator;

ScfOptions tight() {
  ScfOptions options;
  options.thresholdLL = 1e-7;
  options.energyThreshold = 1e-14;
  return options;
}

ScfResult runWith(const TestAtom& atom, Kind kind, double c = constants::kSpeedOfLight) {
  ThreadPool pool(1);
  GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
  ScfProblem problem{atom.basis, atom.nucleus, atom.configuration, c};
  problem.oneElectron = kind;
  return runScf(problem, builder, tight(), pool);
}

/// The same exponents for both j, `sizes` of s, p, d, ...
TestAtom evenTemperedAtom(int z, const std::vector<int>& sizes, double first, double ratio) {
  TestAtom atom;
  atom.nucleus = test::nucleusOf(z, NuclearModel::Point);
  atom.configuration = parseConfiguration(groundConfiguration(z));
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    SymmetryBasis block{Symmetry{static_cast<int>(l)}, {}};
    for (int k = 0; k < sizes[l]; ++k) block.exponents.push_back(first * std::pow(ratio, k));
    if (l > 0) atom.basis.symmetries.push_back(block);
    block.symmetry = Symmetry{-static_cast<int>(l) - 1};
    atom.basis.symmetries.push_back(block);
  }
  return atom;
}

/// Energies of another program (PySCF) in the same sets: tests/atoms/scf/two_component_energies.py.
TEST(TwoComponent, EnergiesOfPyscf) {
  const auto rows = test::rowsOfCsv(PROPHET_SOURCE_DIR "/tests/atoms/scf/two_component_energies.csv");
  ASSERT_EQ(rows.size(), 6u);
  for (const auto& row : rows) {
    std::istringstream words(row[1]);
    std::vector<int> sizes;
    for (int n = 0; words >> n;) sizes.push_back(n);
    const TestAtom atom =
        evenTemperedAtom(elementOf(row[0]).value(), sizes, std::stod(row[2]), std::stod(row[3]));
    const std::pair<Kind, int> columns[] = {
        {Kind::Nonrelativistic, 4}, {Kind::SpinFreeX2c, 5}, {Kind::X2c, 6}};
    for (const auto& [kind, column] : columns) {
      const ScfResult result = runWith(atom, kind);
      EXPECT_TRUE(result.converged);
      EXPECT_NEAR(result.energy.total, std::stod(row[column]), 1e-9) << row[0] << " " << nameOf(kind);
    }
  }
}

TEST(TwoComponent, PartsAddUpAndThereAreNoSmallComponents) {
  const ScfResult result = runWith(evenTemperedAtom(18, {14, 10}, 0.08, 2.6), Kind::X2c);
  double sum = 0;
  for (const EnergyPart& part : result.energy.parts) sum += part.value;
  EXPECT_NEAR(sum, result.energy.total, 1e-10);
  for (const SymmetrySpinors& s : result.symmetries) EXPECT_EQ(s.small.norm(), 0.0);
}

TEST(TwoComponent, VirialRatioWithoutRelativityIsOne) {
  const ScfResult result = runWith(evenTemperedAtom(10, {22, 16}, 0.05, 2.0), Kind::Nonrelativistic);
  EXPECT_NEAR(result.virialRatio, 1.0, 1e-5);  // of this basis
}

TEST(TwoComponent, DecouplingKeepsThePositiveEnergies) {
  const TestAtom atom = evenTemperedAtom(86, {20, 16}, 0.1, 2.5);
  ThreadPool pool(1);
  const double c = constants::kSpeedOfLight;
  const auto dirac = hamiltonianSpaces(atom.basis, atom.nucleus, Kind::Dirac, c, 1e-11, pool);
  const auto two = hamiltonianSpaces(atom.basis, atom.nucleus, Kind::X2c, c, 1e-11, pool);
  for (std::size_t a = 0; a < dirac.size(); ++a) {
    const int n = dirac[a].largeSize();
    ASSERT_EQ(two[a].size(), n);
    EigenSolver solver;
    Eigen::VectorXd four, transformed;
    Eigen::MatrixXd vectors, matrix = dirac[a].core;
    solver.solve(matrix, dirac[a].smallSize(), n, four, vectors);
    matrix = two[a].core;
    solver.solve(matrix, 0, n, transformed, vectors);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(transformed(i), four(i), 1e-11 * (std::abs(four(i)) + 1e5)) << i;
  }
}

TEST(TwoComponent, NoRelativityHasNoSpeedOfLight) {
  const TestAtom atom = evenTemperedAtom(10, {12, 8}, 0.12, 2.8);
  EXPECT_NEAR(runWith(atom, Kind::Nonrelativistic).energy.total,
              runWith(atom, Kind::Nonrelativistic, 1000.0).energy.total, 1e-10);
  // A large c is the limit of the others.
  const double limit = runWith(atom, Kind::Nonrelativistic).energy.total;
  for (const Kind kind : {Kind::Dirac, Kind::X2c, Kind::SpinFreeX2c})
    EXPECT_NEAR(runWith(atom, kind, 1e4).energy.total, limit, 1e-4) << nameOf(kind);
}

TEST(TwoComponent, SpinFreeSpinorsOfBothJAreTheSame) {
  TestAtom atom = evenTemperedAtom(32, {16, 12, 8}, 0.06, 2.6);  // 4p2, an open shell
  for (const Kind kind : {Kind::SpinFreeX2c, Kind::Nonrelativistic}) {
    const ScfResult result = runWith(atom, kind);
    for (std::size_t low = 1; low + 1 < result.symmetries.size(); low += 2) {
      const auto &a = result.symmetries[low].energies, &b = result.symmetries[low + 1].energies;
      ASSERT_EQ(a.size(), b.size());
      EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-7);
    }
  }
  const ScfResult split = runWith(atom, Kind::X2c);
  EXPECT_GT(split.symmetries[2].energies(0) - split.symmetries[1].energies(0), 1.0);
}

TEST(Contraction, AnyMixtureOfAllPrimitivesIsTheSameSet) {
  TestAtom atom = evenTemperedAtom(10, {9, 6}, 0.2, 3.2);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const Kind kind : {Kind::Dirac, Kind::X2c}) {
    for (SymmetryBasis& s : atom.basis.symmetries) s.contraction.resize(0, 0);
    const double energy = runWith(atom, kind).energy.total;
    for (SymmetryBasis& s : atom.basis.symmetries) {
      s.contraction = 3.0 * Eigen::MatrixXd::Identity(s.size(), s.size());
      for (Eigen::Index i = 0; i < s.contraction.size(); ++i) s.contraction(i) += number(random);
    }
    EXPECT_NEAR(runWith(atom, kind).energy.total, energy, 1e-9) << nameOf(kind);
  }
}

TEST(Contraction, OfItsOwnOrbitalsHasTheSameEnergy) {
  TestAtom atom = evenTemperedAtom(36, {16, 13, 8}, 0.08, 2.7);
  const ScfResult whole = runWith(atom, Kind::X2c);
  for (std::size_t a = 0; a < atom.basis.symmetries.size(); ++a)
    atom.basis.symmetries[a].contraction = whole.symmetries[a].large;
  EXPECT_EQ(atom.basis.functions(), 4 + 2 * 3 + 2 * 1);
  EXPECT_NEAR(runWith(atom, Kind::X2c).energy.total, whole.energy.total, 1e-9);
}

TEST(Contraction, OfFourComponentsIsCloseToThePrimitives) {
  TestAtom atom = evenTemperedAtom(36, {16, 13, 8}, 0.08, 2.7);
  const ScfResult whole = runWith(atom, Kind::Dirac);
  const double limit = whole.energy.total;
  for (std::size_t a = 0; a < atom.basis.symmetries.size(); ++a)
    atom.basis.symmetries[a].contraction = whole.symmetries[a].large;
  const ScfResult contracted = runWith(atom, Kind::Dirac);
  EXPECT_TRUE(contracted.converged);
  EXPECT_NEAR(contracted.energy.total, limit, 1e-3 * std::abs(limit));
  EXPECT_GT(std::abs(contracted.energy.total - limit), 1e-6);  // kinetic balance is not exact
}

TEST(Contraction, RefusesWhatDoesNotFit) {
  TestAtom atom = evenTemperedAtom(2, {6}, 0.2, 3.0);
  atom.basis.symmetries[0].contraction = Eigen::MatrixXd::Ones(5, 2);
  EXPECT_THROW(runWith(atom, Kind::Dirac), Error);
  atom.basis.symmetries[0].contraction = Eigen::MatrixXd::Zero(6, 2);
  EXPECT_THROW(runWith(atom, Kind::Dirac), Error);
}

}  // namespace
}  // namespace prophet

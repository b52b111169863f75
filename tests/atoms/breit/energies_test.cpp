#include <gtest/gtest.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/breit/breit.hpp"
#include "core/common/constants.hpp"
#include "reference.hpp"

namespace prophet {
namespace {

struct Atom {
  Nucleus nucleus;
  Configuration configuration;
};

Atom neutral(const std::string& symbol) {
  const int z = *elementOf(symbol);
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  return {makeNucleus(request), parseConfiguration(groundConfiguration(z))};
}

ScfOptions tight() {
  ScfOptions options;
  options.thresholdLL = 1e-7;
  options.thresholdSL = 1e-8;
  options.energyThreshold = 2e-13;
  options.maxIterations = 40;
  return options;
}

ScfResult solve(const BasisSet& basis, const Atom& atom, TwoElectronOperator operation, ThreadPool& pool) {
  const auto builder = makeGridBuilder(basis, fockGrid(basis), operation, pool);
  return runScf({basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight}, *builder, tight(), pool);
}

TEST(BreitEnergies, AgreeWithAnIndependentProgram) {
  ThreadPool pool(2);
  for (const test::BreitReference& row : test::readBreitReferences()) {
    const Atom atom = neutral(row.symbol);
    const double reference[] = {row.coulomb, row.gaunt, row.breit};
    const TwoElectronOperator operators[] = {TwoElectronOperator::Coulomb, TwoElectronOperator::CoulombGaunt,
                                             TwoElectronOperator::CoulombBreit};
    for (int k = 0; k < 3; ++k) {
      const ScfResult result = solve(row.basis, atom, operators[k], pool);
      EXPECT_TRUE(result.converged);
      EXPECT_NEAR(result.energy.total, reference[k], 2e-9) << row.symbol << " " << nameOf(operators[k]);
    }
  }
}

TEST(BreitEnergies, DoNotDependOnTheGrid) {
  ThreadPool pool(2);
  for (const test::BreitReference& row : test::readBreitReferences()) {
    const Atom atom = neutral(row.symbol);
    const RadialGrid grid = fockGrid(row.basis), fine = makeGrid(row.basis, 0.75 * grid.h);
    double energy[2];
    for (int k = 0; k < 2; ++k) {
      const auto builder =
          makeGridBuilder(row.basis, k == 0 ? grid : fine, TwoElectronOperator::CoulombBreit, pool);
      energy[k] = runScf({row.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight}, *builder,
                         tight(), pool)
                      .energy.total;
    }
    EXPECT_NEAR(energy[0], energy[1], 1e-11 * std::abs(energy[0])) << row.symbol;
  }
}

/// Relaxation is of second order and lowers the energy; parts of the two-electron energy add up. Boron,
/// chromium (two open shells) and xenon.
TEST(BreitEnergies, FirstOrderAndParts) {
  ThreadPool pool(2);
  for (const char* symbol : {"B", "Cr", "Xe"}) {
    const Atom atom = neutral(symbol);
    const int symmetries = static_cast<int>(atom.configuration.symmetries.size());
    const BasisSet basis = test::evenTempered(symmetries, 0.03, 2.3, 24);
    const RadialGrid grid = fockGrid(basis);
    const ScfResult coulomb = solve(basis, atom, TwoElectronOperator::Coulomb, pool);
    const ScfResult breit = solve(basis, atom, TwoElectronOperator::CoulombBreit, pool);
    ASSERT_TRUE(coulomb.converged && breit.converged) << symbol;
    const auto parts = [&](const ScfResult& scf, TwoElectronOperator operation) {
      return breitEnergy(basis, grid, atom.configuration, scf, operation, pool);
    };
    const BreitEnergy first = parts(coulomb, TwoElectronOperator::CoulombBreit);
    const BreitEnergy relaxed = parts(breit, TwoElectronOperator::CoulombBreit);
    EXPECT_GT(first.gaunt, 0.0);
    EXPECT_LT(first.gauge, 0.0);
    EXPECT_EQ(parts(coulomb, TwoElectronOperator::CoulombGaunt).gauge, 0.0);
    EXPECT_EQ(parts(coulomb, TwoElectronOperator::CoulombGaunt).gaunt, first.gaunt);
    EXPECT_EQ(parts(coulomb, TwoElectronOperator::Coulomb).total(), 0.0);

    // To second order E = E_C + B_1 + x and <B> = B_1 + 2 x with x < 0.
    const double x = breit.energy.total - coulomb.energy.total - first.total();
    EXPECT_LT(x, 0.0) << symbol;
    EXPECT_NEAR(relaxed.total() - first.total(), 2.0 * x, 0.01 * std::abs(x) + 1e-9) << symbol;
  }
}

/// Both parts of the energy are those of the Fock builder's exchange matrices, 1/2 tr(D P) - 1/2 tr(D_o Q);
void expectPartsOfTheFockMatrices(const Atom& atom) {
  const BasisSet basis =
      test::evenTempered(static_cast<int>(atom.configuration.symmetries.size()), 0.03, 2.3, 24);
  const RadialGrid grid = fockGrid(basis);
  ThreadPool pool(2), alone(1);
  const ScfResult scf = solve(basis, atom, TwoElectronOperator::Coulomb, pool);
  const int n = static_cast<int>(scf.symmetries.size());
  const std::vector<OccupiedSpinors> spinors = occupiedSpinors(scf);
  const Eigen::MatrixXd reduction = atom.configuration.openReduction();
  std::vector<Symmetry> symmetries;
  for (const SymmetryBasis& s : basis.symmetries) symmetries.push_back(s.symmetry);
  ASSERT_GT(reduction.cwiseAbs().maxCoeff(), 0.0);
  const BreitKernelSet set = breitKernelSet(symmetries, grid.h, grid.points);
  const auto energyOf = [&](const std::shared_ptr<const CrossKernels>& kernels) {
    GridFockBuilder builder(basis, grid, pool, kernels, false);
    std::vector<BlockMatrix> p, q;
    builder.build(spinors, reduction, p, q);
    const auto expectation = [&](const BlockMatrix& f, int a, Eigen::Index i) {
      const auto l = spinors[a].large.col(i), s = spinors[a].small.col(i);
      return spinors[a].occupation(i) * (l.dot(f.LL * l) + s.dot(f.SS * s) + 2.0 * l.dot(f.LS * s));
    };
    double sum = 0.0;
    for (int a = 0; a < n; ++a) {
      const Eigen::Index count = spinors[a].occupation.size();
      for (Eigen::Index i = 0; i < count; ++i) sum += 0.5 * expectation(p[a], a, i);
    }
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto [a, column] = openSpinors(spinors)[i];
      sum -= 0.5 * expectation(q[i], a, column);
    }
    return sum;
  };
  const BreitEnergy parts =
      breitEnergy(basis, grid, atom.configuration, scf, TwoElectronOperator::CoulombBreit, alone);
  EXPECT_NEAR(parts.gaunt, energyOf(set.gaunt), 1e-11);
  EXPECT_NEAR(parts.gauge, energyOf(set.gauge), 1e-11);
  const BreitEnergy together =
      breitEnergy(basis, grid, atom.configuration, scf, TwoElectronOperator::CoulombBreit, pool);
  EXPECT_NEAR(together.gaunt, parts.gaunt, 1e-14);
  EXPECT_NEAR(together.gauge, parts.gauge, 1e-14);
}

/// Two open shells of different l; holes and two open shells of one l.
TEST(BreitEnergies, PartsAreThoseOfTheFockMatrices) {
  expectPartsOfTheFockMatrices(neutral("Cr"));
  Atom excited = neutral("Ar");
  excited.configuration = parseConfiguration("1s1 2s2 2p5 3s2 3p5 4s1");
  expectPartsOfTheFockMatrices(excited);
}

}  // namespace
}  // namespace prophet

#include <gtest/gtest.h>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/limit/limit.hpp"
#include "default_case.hpp"

namespace prophet {
namespace {

/// O2- in the shell that stands for MgO.
constexpr ChargedShell kShell{2, 2.2773};

double energyInShell(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration) {
  ThreadPool alone(1);
  GridFockBuilder builder(basis, fockGrid(basis), alone);
  ScfProblem problem{basis, nucleus, configuration, constants::kSpeedOfLight};
  problem.extra.push_back({EnergyPartId::External, shellMatrices(basis, kShell)});
  const ScfResult result = runScf(problem, builder, {}, alone);
  EXPECT_TRUE(result.converged);
  return result.energy.total;
}

TEST(DefaultBasis, FitsIonsInAShell) {
  const Nucleus nucleus = test::nucleusOf(8, NuclearModel::Gaussian);
  const Configuration ion = parseConfiguration("1s2 2s2 2p6");
  LimitOptions options;
  options.threads = 1;
  options.shell = kShell;
  const double limit = numericalLimit(nucleus, ion, options).energy;
  const auto errorOf = [&](const ChargedShell& shell) {
    AtomProblem problem{nucleus, ion, {}};
    problem.hamiltonian.shell = shell;
    const DefaultBasis choice = chooseBasis(problem);
    return energyInShell(choice.basis, nucleus, ion) - limit;
  };
  const double made = errorOf(kShell), free = errorOf({});
  EXPECT_GT(made, 0);
  EXPECT_LT(made, 5e-6);
  EXPECT_GT(free, 5 * made);
}

}  // namespace
}  // namespace prophet

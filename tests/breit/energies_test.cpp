#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "atom/elements.hpp"
#include "breit/breit.hpp"
#include "common/constants.hpp"
#include "common/stopwatch.hpp"
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
  return runScf(basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, *builder, tight(), pool);
}

TEST(BreitEnergies, AgreeWithAnIndependentProgram) {
  ThreadPool pool(2);
  for (const testing::BreitReference& row : testing::readBreitReferences()) {
    const Atom atom = neutral(row.symbol);
    const double reference[] = {row.coulomb, row.gaunt, row.breit};
    const TwoElectronOperator operators[] = {TwoElectronOperator::Coulomb, TwoElectronOperator::CoulombGaunt,
                                             TwoElectronOperator::CoulombBreit};
    for (int k = 0; k < 3; ++k) {
      const Stopwatch watch;
      const ScfResult result = solve(row.basis, atom, operators[k], pool);
      std::printf("%s %-14s %.10f  difference %.1e  %zu iterations, %.3f s, fock %.3f s\n",
                  row.symbol.c_str(), nameOf(operators[k]).c_str(), result.energy.total,
                  result.energy.total - reference[k], result.iterations.size(), watch.seconds(),
                  result.timings.fock);
      EXPECT_NEAR(result.energy.total, reference[k], 2e-9) << row.symbol << " " << nameOf(operators[k]);
    }
  }
}

}  // namespace
}  // namespace prophet

#pragma once
#include <gtest/gtest.h>

#include <random>

#include "atoms.hpp"
#include "atoms/scf/guess.hpp"

namespace prophet::test {

/// The ground configuration of an element from seeded random starts about its solution: none ends lower, and
/// all end at the same energy. Half of each spinor is replaced by noise.
inline void expectSameAfterPerturbation(int z, int restarts) {
  TestAtom atom;
  atom.nucleus = nucleusOf(z, NuclearModel::Gaussian);
  atom.configuration = parseConfiguration(groundConfiguration(z));
  atom.basis = evenTempered(atom.configuration, 0.01, 1e8, 2.5);
  ThreadPool pool(2);
  GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
  const auto solve = [&](const StartSpinors* start) {
    ScfOptions options;
    options.maxIterations = 200;
    return runScf({atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, {}, start},
                  builder, options, pool);
  };
  const ScfResult reference = solve(nullptr);
  ASSERT_TRUE(reference.converged) << symbolOf(z);
  std::mt19937 random(static_cast<unsigned>(z));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < restarts; ++i) {
    StartSpinors start = startSpinors(atom.basis, reference);
    for (auto* component : {&start.large, &start.small})
      for (auto& c : *component)
        for (Eigen::Index k = 0; k < c.size(); ++k) c.data()[k] *= 1.0 + 0.7 * uniform(random);
    const ScfResult result = solve(&start);
    ASSERT_TRUE(result.converged) << symbolOf(z) << ", restart " << i;
    EXPECT_NEAR(result.energy.total / reference.energy.total, 1.0, 1e-10) << symbolOf(z) << ", restart " << i;
  }
}

}  // namespace prophet::test

#pragma once
#include <gtest/gtest.h>

#include "atoms/calculation/compute.hpp"
#include "fixtures.hpp"

namespace prophet::test {

/// Computes the energy of a shipped set and checks the figures that its file states.
inline void checkShippedSet(int z, const std::string& collection, double threshold) {
  const auto entry = readLibraryEntry(z, collection);
  ASSERT_TRUE(entry) << z;
  const BasisProvenance& p = entry->provenance;
  ASSERT_TRUE(p.energy && p.limit && p.error && p.speedOfLight) << z;
  EXPECT_EQ(entry->nuclearModel, NuclearModel::Gaussian);
  EXPECT_EQ(entry->configuration, groundConfiguration(z));
  AtomProblem problem{gaussianNucleus(z), parseConfiguration(entry->configuration), {}};
  problem.hamiltonian.speedOfLight = *p.speedOfLight;
  const Result outcome = computeOrReason(calculationIn(makeBasis(*entry), problem));
  ASSERT_TRUE(outcome.ok()) << z << ": " << outcome.reason;
  const double scale = std::abs(*p.limit), error = (outcome.energy.total - *p.limit) / scale;
  EXPECT_NEAR(outcome.energy.total / *p.energy, 1.0, 5e-11) << z;
  EXPECT_NEAR(error, *p.error, 5e-11) << z;
  EXPECT_GE(error, 0.0) << z;  // no prolapse
  EXPECT_LE(error, threshold) << z;
}

}  // namespace prophet::test

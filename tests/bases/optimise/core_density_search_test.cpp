#include "bases/optimise/core_density_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/compute.hpp"
#include "bases/collections/correlating_maker.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "fixtures.hpp"

namespace prophet {
namespace {

AtomProblem neutral(int z) {
  return {test::gaussianNucleus(z), parseConfiguration(groundConfiguration(z)), {}};
}

TEST(IntegralsAtNucleus, OfHydrogenAreThoseOfItsExponential) {
  const Calculation limit{neutral(1), LimitMethod{}};
  const auto integrals = integralsAtNucleus(limit.problem, compute(limit));
  ASSERT_EQ(integrals.size(), 1u);
  // P = 2 r exp(-r), Q = P'/2c - P/2cr; relativity changes the density, which it makes infinite at a point
  // nucleus, by 5e-4.
  EXPECT_NEAR(integrals[0][0], 1 / std::numbers::pi, 1e-3 / std::numbers::pi);
  EXPECT_NEAR(integrals[0][1], -1 / constants::kSpeedOfLight, 3e-4 / constants::kSpeedOfLight);
}

TEST(IntegralsAtNucleus, NeedANucleusWithASize) {
  AtomProblem point = neutral(2);
  point.nucleus = test::nucleusOf(2, NuclearModel::Point);
  const Calculation limit{point, LimitMethod{}};
  EXPECT_THROW(integralsAtNucleus(point, compute(limit)), Error);
}

TEST(CoreDensity, OfNeonComesWithinAThousandthByAFewSteepFunctions) {
  const LibraryEntry set = *readLibraryEntry(10, "prophet-dz");
  const CoreDensityResult found = searchCoreDensity(neutral(10), makeBasis(set));
  ASSERT_EQ(found.errors.size(), 2u);
  EXPECT_GT(found.errors[0].without, 0.03);
  EXPECT_GT(found.errors[1].without, 0.005);
  for (const ErrorAtNucleus& error : found.errors) EXPECT_LE(error.with, 1e-3) << error.l;
  ASSERT_EQ(found.groups.size(), 2u);
  for (const FunctionGroup& group : found.groups) {
    EXPECT_EQ(group.name, kCoreDensityGroup);
    EXPECT_GT(group.exponents.front(), 3 * set.exponents[static_cast<std::size_t>(2 * group.l)].back());
    EXPECT_LE(group.exponents.size(), 6u);
  }
}

TEST(CoreDensity, IsInTheSetsOfTheTiers) {
  for (const char* tier : {"prophet-dz", "prophet-tz", "prophet-qz"})
    for (int z = 1; z <= kLastElement; ++z) {
      const LibraryEntry set = *readLibraryEntry(z, tier);
      EXPECT_NE(set.provenance.source.find("steep functions for integrals at the nucleus"), std::string::npos)
          << tier << z;
      for (const FunctionGroup& group : set.groups) {
        if (group.name != kCoreDensityGroup) continue;
        EXPECT_GT(group.exponents.front(), 3 * set.exponents[static_cast<std::size_t>(2 * group.l)].back())
            << tier << z;
      }
    }
}

TEST(CoreDensity, IsAGroupOfTheSetBesideAllOthers) {
  const CorrelatingMaker maker("prophet-dz", {}, {}, CorrelatingPart::CoreDensity);
  const MadeSet made = maker.make({neutral(5), 5, "", false, {}});
  const LibraryEntry before = withoutGroup(*readLibraryEntry(5, "prophet-dz"), kCoreDensityGroup);
  EXPECT_EQ(made.shortfall, "");
  EXPECT_GT(made.set.groups.size(), before.groups.size());
  EXPECT_EQ(withoutGroup(made.set, kCoreDensityGroup).groups.size(), before.groups.size());
  EXPECT_EQ(withoutGroup(made.set, kCoreDensityGroup).provenance.source, before.provenance.source);
  EXPECT_EQ(coreValenceGroups(made.set.groups).size(), coreValenceGroups(before.groups).size());
  EXPECT_NE(maker.whyNotFinished(before), "");
}

}  // namespace
}  // namespace prophet

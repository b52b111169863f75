#include <gtest/gtest.h>

#include "tests/atoms/levels/reference_cases.hpp"

namespace prophet {
namespace {

TEST(ReferenceLevels, AgreeInAllCases) {
  std::map<std::string, Result> kept;
  int compared = 0;
  for (const ReferenceCase& c : referenceCases()) {
    // Where parts cancel in A or B more is lost; next to the point nucleus of flerovium GRASP's own grid
    // loses 1e-4.
    EXPECT_EQ(differenceFrom(c, levelsOf(c, kept), c.z > 110 ? 1e-3 : 1e-6), "");
    compared += static_cast<int>(c.levels.size());
  }
  EXPECT_EQ(compared, 1894);
}

TEST(ReferenceLevels, AgreeWithFermiNucleiAndVacuumPolarisation) {
  std::map<std::string, Result> kept;
  int compared = 0;
  for (const ReferenceCase& c : casesOfNuclei()) {
    EXPECT_EQ(differenceFrom(c, levelsOf(c, kept)), "");
    compared += static_cast<int>(c.levels.size());
  }
  EXPECT_EQ(compared, 3701);
}

/// Where states mix so much that none has one percent of a level.
TEST(ManyLevels, AllHaveLabels) {
  const LevelSpace space = levelSpace(
      "[Xe] 4f5 6s | [Xe] 4f5 5d | [Xe] 4f4 5d 6s | [Xe] 4f5 6p | [Xe] 4f4 5d2 | [Xe] 4f4 6s 6p | "
      "[Xe] 4f4 5d 6p | [Xe] 4f4 6s2");
  Nucleus nucleus;
  nucleus.charge = 61;
  const LevelResult found = computeLevels(space, limitOf(space, nucleus), {{nucleus, 137.03599976, {}}});
  int weak = 0;
  for (const Level& l : found.levels) {
    ASSERT_FALSE(l.couplings.empty());
    ASSERT_FALSE(l.label.empty());
    weak += l.couplings.front().percent < 1 ? 1 : 0;
  }
  EXPECT_GT(weak, 0);
}

}  // namespace
}  // namespace prophet

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

}  // namespace
}  // namespace prophet

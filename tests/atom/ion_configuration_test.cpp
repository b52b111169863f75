#include "atom/ion_configuration.hpp"

#include <gtest/gtest.h>

#include "atom/configuration.hpp"
#include "common/error.hpp"

namespace prophet {
namespace {

TEST(IonConfiguration, CationsLoseTheOutermostShellFirst) {
  EXPECT_EQ(ionConfiguration(26, 2), "[Ar] 3d6");
  EXPECT_EQ(ionConfiguration(29, 1), "[Ar] 3d10");
  EXPECT_EQ(ionConfiguration(58, 3), "[Xe] 4f1");
  EXPECT_EQ(ionConfiguration(3, 1), "[He]");
  EXPECT_EQ(ionConfiguration(92, 82), "[Ne]");
  EXPECT_EQ(ionConfiguration(92, 91), "1s1");
}

TEST(IonConfiguration, AnionsAreIsoelectronicWithAtoms) {
  EXPECT_EQ(ionConfiguration(9, -1), groundConfiguration(10));
  EXPECT_EQ(ionConfiguration(8, -2), groundConfiguration(10));
  EXPECT_EQ(ionConfiguration(79, -1), groundConfiguration(80));
  EXPECT_EQ(ionConfiguration(79, 0), groundConfiguration(79));
}

/// Every charge of every element is a configuration of as many electrons.
TEST(IonConfiguration, HasItsElectrons) {
  for (int z = 1; z <= 118; ++z) {
    for (int charge = -1; charge < z; ++charge) {
      if (z - charge > 118) continue;
      EXPECT_EQ(parseConfiguration(ionConfiguration(z, charge)).electrons(), z - charge)
          << z << ' ' << charge;
    }
  }
}

TEST(IonConfiguration, RefusesWhatCannotBe) {
  EXPECT_THROW(ionConfiguration(2, 2), Error);
  EXPECT_THROW(ionConfiguration(118, -1), Error);
}

}  // namespace
}  // namespace prophet

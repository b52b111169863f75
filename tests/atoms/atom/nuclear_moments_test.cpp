#include "atoms/atom/nuclear_moments.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

TEST(NuclearMoments, AreThoseOfTheTables) {
  // N. J. Stone, INDC(NDS)-0794 (2019) and INDC(NDS)-0833 (2021).
  struct Known {
    int z, a;
    double spin, moment, quadrupole;
  };
  for (const Known& k : {Known{55, 133, 3.5, 2.5778, -0.00343}, Known{37, 87, 1.5, 2.75129, 0.1335},
                         Known{20, 43, 3.5, -1.31733, -0.0408}, Known{12, 25, 2.5, -0.85533, 0.199},
                         Known{19, 39, 1.5, 0.39147, 0.0603}}) {
    const NuclearMoments found = nuclearMoments(k.z, k.a);
    EXPECT_EQ(found.spin, k.spin);
    EXPECT_EQ(found.moment, k.moment);
    EXPECT_EQ(found.quadrupole, k.quadrupole);
  }
}

TEST(NuclearMoments, OfAProtonAreADipoleAlone) {
  const NuclearMoments proton = nuclearMoments(1, 1);
  EXPECT_EQ(proton.spin, 0.5);
  EXPECT_DOUBLE_EQ(*proton.moment, 2.792847);
  EXPECT_FALSE(proton.quadrupole);
}

TEST(NuclearMoments, OfNucleiWithoutSpinAreNone) {
  EXPECT_FALSE(nuclearMoments(20, 40).any());
  EXPECT_FALSE(nuclearMoments(119, 300).any());
}

}  // namespace
}  // namespace prophet

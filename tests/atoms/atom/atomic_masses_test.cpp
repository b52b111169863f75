#include "atoms/atom/atomic_masses.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

TEST(AtomicMasses, AreThoseOfTheEvaluation) {
  EXPECT_DOUBLE_EQ(*atomicMass(6, 12), 12);
  EXPECT_DOUBLE_EQ(*atomicMass(20, 40), 39.96259085);
  EXPECT_DOUBLE_EQ(*atomicMass(20, 48), 47.952522654);
  EXPECT_FALSE(atomicMass(20, 90));
  EXPECT_FALSE(atomicMass(119, 300));
}

TEST(AtomicMasses, OfNucleiAreWithoutElectrons) {
  // The proton's and the alpha particle's, CODATA 2022; the formula of the electrons' binding energy
  // gives 3.3 of helium's 79.0 eV too little, which is 4e-9.
  EXPECT_NEAR(*nuclearMass(1, 1), 1.0072764665789, 1e-9);
  EXPECT_NEAR(*nuclearMass(2, 4), 4.001506179129, 4e-9);
  EXPECT_FALSE(nuclearMass(1, 40));
}

}  // namespace
}  // namespace prophet

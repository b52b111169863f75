#include "atoms/lines/two_photon.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

constexpr double kTwoPhotonC = 137.03599976;

/// Hydrogen 2s: 8.2291 1/s. Without relativity the rate goes with the sixth power of the charge.
TEST(TwoPhotonRate, OfOneElectron) {
  EXPECT_NEAR(twoPhotonRate(1, 1, kTwoPhotonC), 8.2291, 2e-4);
  EXPECT_NEAR(twoPhotonRate(1, 20, 1e6) / twoPhotonRate(1, 10, 1e6), 64, 1e-6);
  EXPECT_LT(twoPhotonRate(1, 92, kTwoPhotonC), 0.8 * twoPhotonRate(1, 92, 1e6));
}

/// W. R. Johnson's rates of 2 1S0 (tables of two-photon energy distributions, helium to carbon).
TEST(TwoPhotonRate, OfTwoElectrons) {
  const double rates[] = {5.102e1, 1.940e3, 1.816e4, 9.211e4, 3.300e5};
  for (int z = 2; z <= 6; ++z) EXPECT_NEAR(twoPhotonRate(2, z, kTwoPhotonC) / rates[z - 2], 1, 7.5e-3) << z;
  EXPECT_EQ(twoPhotonRate(3, 3, kTwoPhotonC), 0);
}

}  // namespace
}  // namespace prophet

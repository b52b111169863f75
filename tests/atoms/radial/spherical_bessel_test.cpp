#include "atoms/radial/spherical_bessel.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet {
namespace {

TEST(SphericalBessel, IsThatOfTheLibraryAndItsComplement) {
  double j[8];
  for (const double x : {1e-9, 1e-3, 0.2, 0.7, 2.0, 3.14159265358979, 4.4934094579, 6.9, 8.0, 30.0, 500.0}) {
    sphericalBessel(7, x, j);
    for (int k = 0; k < 8; ++k)
      EXPECT_NEAR(j[k], std::sph_bessel(static_cast<unsigned>(k), x), 1e-13) << k << " " << x;
    EXPECT_NEAR(x * x * sineDeficit(x), x < 1e-2 ? x * x / 6 * (1 - x * x / 20) : 1 - std::sin(x) / x, 1e-15);
  }
}

}  // namespace
}  // namespace prophet

#include "atoms/scf/fock_mixer.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

std::vector<Eigen::MatrixXd> constant(double value) { return {Eigen::MatrixXd::Constant(2, 2, value)}; }

TEST(FockMixer, DampingKeepsAShareOfTheOldMatrix) {
  FockMixer mixer(Extrapolation::None, 0.3);
  auto f = constant(1.0);
  mixer.mix(f, {});
  EXPECT_DOUBLE_EQ(f[0](0, 0), 1.0);
  f = constant(2.0);
  mixer.mix(f, {});
  EXPECT_DOUBLE_EQ(f[0](0, 0), 0.7 * 2.0 + 0.3 * 1.0);
}

/// A fixed point F = 3 + (F_old - 3)/2: the geometric series is extrapolated to its limit at the fourth call.
TEST(FockMixer, SeriesIsExtrapolatedToItsLimit) {
  FockMixer mixer(Extrapolation::Fock, 0.0);
  auto f = constant(1.0);
  for (int i = 0; i < 4; ++i) {
    f[0] = (3.0 + 0.5 * (f[0].array() - 3.0)).matrix();
    mixer.mix(f, {});
  }
  EXPECT_NEAR(f[0](1, 0), 3.0, 1e-12);
}

}  // namespace
}  // namespace prophet

#include "core/linalg/levenberg_marquardt.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

/// Rosenbrock's valley as two differences, which vanish at (1, 1).
SquareSum valley(bool differentiated) {
  SquareSum sum{.unknowns = 2, .differences = 2};
  sum.evaluate = [](const Eigen::VectorXd& x, Eigen::VectorXd& f) {
    f = Eigen::Vector2d(10 * (x(1) - x(0) * x(0)), 1 - x(0));
  };
  if (differentiated) {
    sum.differentiate = [](const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) {
      jacobian = Eigen::Matrix2d{{-20 * x(0), 10}, {-1, 0}};
    };
  } else {
    sum.step = 1e-4;
  }
  return sum;
}

TEST(LevenbergMarquardt, FindsTheMinimumWithAndWithoutDerivatives) {
  for (const bool differentiated : {true, false}) {
    Eigen::VectorXd x = Eigen::Vector2d(-1.2, 1);
    EXPECT_TRUE(minimiseSquareSum(valley(differentiated), {.change = 1e-12, .decrease = 1e-12}, x));
    EXPECT_LT((x - Eigen::Vector2d(1, 1)).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace prophet

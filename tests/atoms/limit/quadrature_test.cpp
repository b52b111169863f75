#include "atoms/limit/radial_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"

namespace prophet::limit {
namespace {

TEST(GaussLegendre, IntegratesPolynomialsOfDegree2nMinus1) {
  for (int n : {1, 2, 5, 10, 24}) {
    const GaussRule rule = gaussLegendre(n);
    for (int power = 0; power < 2 * n; ++power) {
      const double exact = power % 2 == 0 ? 2.0 / (power + 1) : 0.0;
      EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(power).matrix()), exact, 4e-15)
          << n << " " << power;
    }
    const double next = rule.weights.dot(rule.nodes.array().pow(2 * n).matrix());
    EXPECT_LT(next, 2.0 / (2 * n + 1) * (n < 10 ? 1 - 1e-9 : 1 + 1e-15));
  }
  EXPECT_THROW(gaussLegendre(0), Error);
}

TEST(LagrangePolynomials, ReproducePolynomials) {
  const GaussRule rule = gaussLegendre(6);
  const Eigen::VectorXd points = Eigen::VectorXd::LinSpaced(9, -1, 1);
  const auto polynomial = [](double x) { return 3 * std::pow(x, 5) - x * x + 0.25; };
  const Eigen::VectorXd image = lagrangePolynomials(rule.nodes, points) * rule.nodes.unaryExpr(polynomial);
  for (int i = 0; i < points.size(); ++i) EXPECT_NEAR(image[i], polynomial(points[i]), 1e-13);
}

}  // namespace
}  // namespace prophet::limit

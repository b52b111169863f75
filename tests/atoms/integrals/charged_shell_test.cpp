#include "atoms/integrals/radial_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/integrals/one_electron.hpp"

namespace prophet {
namespace {

/// Simpson's rule on both sides of the edge.
double byQuadrature(double radius, int n, double p) {
  const auto piece = [&](double from, double to) {
    const int steps = 20000;
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
      const double r = from + (to - from) * i / steps;
      const double weight = (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) * (to - from) / (3.0 * steps);
      sum += weight * std::pow(r, n) * std::exp(-p * r * r) / std::max(r, radius);
    }
    return sum;
  };
  return piece(0, radius) + piece(radius, radius + 9 / std::sqrt(p));
}

TEST(ChargedShell, IntegralsAreThoseOfQuadrature) {
  for (const int n : {2, 4, 8}) {
    for (const double p : {0.05, 0.7, 30.0})
      EXPECT_NEAR(shellAttraction(2.3, n, p) / byQuadrature(2.3, n, p), 1, 1e-10) << n << " " << p;
  }
}

/// A wide shell is a constant, a narrow one a point charge.
TEST(ChargedShell, HasItsLimits) {
  const BasisSet basis{{{Symmetry::fromIndex(0), {0.5, 2.0, 40.0}}, {Symmetry::fromIndex(2), {0.3, 5.0}}},
                       "test"};
  const auto wide = shellMatrices(basis, {2, 200}), narrow = shellMatrices(basis, {3, 1e-9});
  Nucleus point;
  point.charge = 3;
  const auto one = oneElectronMatrices(basis, point);
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    EXPECT_LT((wide[a].LL + 0.01 * one[a].overlapLarge).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((wide[a].SS + 0.01 * one[a].overlapSmall).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((narrow[a].LL - one[a].nuclearLarge).cwiseAbs().maxCoeff(),
              1e-6 * one[a].nuclearLarge.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace prophet

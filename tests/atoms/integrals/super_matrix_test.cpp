#include "atoms/integrals/pair_index.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "atoms/fock/stored_builder.hpp"

namespace prophet {
namespace {

/// Exchanging the pairs must swap x2 with x3 and x4 with x6 and keep the others: the contraction relies on
/// it.
TEST(SuperMatrix, ExchangeOfThePairs) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> logExponent(-2, 8);
  const std::vector<Symmetry> symmetries = firstSymmetries(7);
  const auto lists = exchangeLists(symmetries);
  for (int i = 0; i < 200; ++i) {
    const int a = static_cast<int>(random() % 7), b = static_cast<int>(random() % 7);
    const auto make = [&](int s) { return makePrimitive(symmetries[s], std::exp(logExponent(random))); };
    const Primitive p = make(a), q = make(a), r = make(b), s = make(b);
    const auto x = superMatrixElement(symmetries[a].l(), p, q, symmetries[b].l(), r, s, lists[a * 7 + b]);
    const auto y = superMatrixElement(symmetries[b].l(), r, s, symmetries[a].l(), p, q, lists[b * 7 + a]);
    const auto same = [](double u, double v) {
      EXPECT_NEAR(u, v, 1e-12 * (std::abs(u) + std::abs(v)) + 1e-14);
    };
    same(x.x1, y.x1);
    same(x.x2, y.x3);
    same(x.x3, y.x2);
    same(x.x4, y.x6);
    same(x.x5, y.x5);
    same(x.x6, y.x4);
    same(x.x7, y.x7);
    same(x.x8, y.x8);
  }
}

/// Two 1s electrons in one Gaussian: R^0 = 2 sqrt(a/pi) and the exchange is half of it (Lambda_0 = 1/2).
TEST(SuperMatrix, OneGaussian) {
  const Symmetry s{-1};
  const Primitive f = makePrimitive(s, 0.8);
  const auto x = superMatrixElement(0, f, f, 0, f, f, exchangeLists({s})[0]);
  const double coulomb = 2 * std::sqrt(0.8 / 3.14159265358979323846);
  EXPECT_NEAR(x.x1, 0.5 * coulomb, 1e-14);
  EXPECT_LT(x.x5, 0.0);
  EXPECT_EQ(x.x4, x.x5);
}

}  // namespace
}  // namespace prophet

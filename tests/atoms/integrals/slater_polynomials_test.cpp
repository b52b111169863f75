#include "atoms/integrals/slater_polynomials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

ExchangeList listOf(Symmetry a, Symmetry b) {
  ExchangeList list{};
  for (const ExchangeTerm& term : exchangeTerms(a, b)) {
    list.k[list.count] = term.k;
    list.coefficient[list.count++] = term.coefficient;
  }
  return list;
}

Primitive positive(Primitive f) {
  f.small2 = std::abs(f.small2);
  return f;
}

/// Worst error of the eight values, relative to the sizes of the terms that make them (J + K/2 for x1 and x8;
/// small components without their cancellation).
template <int kDegree>
double worstError(int symmetries, double logSmallest, double logLargest) {
  const std::vector<Symmetry> list = firstSymmetries(symmetries);
  const auto polynomials = makePairPolynomials<kDegree>(list);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(logSmallest, logLargest);
  double worst = 0.0;
  for (int a = 0; a < symmetries; ++a) {
    for (int b = 0; b < symmetries; ++b) {
      for (int n = 0; n < 40; ++n) {
        Primitive f[4];
        for (int i = 0; i < 4; ++i)
          f[i] = makePrimitive(i < 2 ? list[a] : list[b], std::exp(uniform(random)));
        const ExchangeList terms = listOf(list[a], list[b]);
        const auto direct = [&](auto change, const ExchangeList& t) {
          return superMatrixElement(list[a].l(), change(f[0]), change(f[1]), list[b].l(), change(f[2]),
                                    change(f[3]), t);
        };
        const auto same = [](const Primitive& p) { return p; };
        const SuperMatrixElement expected = direct(same, terms), coulomb = direct(positive, {});
        SuperMatrixElement size = direct(positive, terms);
        size.x1 = 2.0 * coulomb.x1 - size.x1;
        size.x8 = 2.0 * coulomb.x8 - size.x8;
        const SuperMatrixElement value =
            polynomialElement(polynomials[a * symmetries + b], f[0], f[1], f[2], f[3]);
        const double *e = &expected.x1, *v = &value.x1, *s = &size.x1;
        for (int i = 0; i < 8; ++i) {
          const double error = std::abs(v[i] - e[i]) / std::abs(s[i]);
          if (std::isnan(error)) return error;
          worst = std::max(worst, error);
        }
      }
    }
  }
  return worst;
}

TEST(SlaterPolynomials, EqualSumsUpToF) { EXPECT_LT(worstError<5>(7, -3.0, 18.0), 5e-14); }
TEST(SlaterPolynomials, EqualSumsUpToK) { EXPECT_LT(worstError<9>(15, -3.0, 18.0), 5e-14); }
TEST(SlaterPolynomials, EqualSumsForEqualExponents) { EXPECT_LT(worstError<5>(7, 2.0, 2.0), 5e-14); }

TEST(SlaterPolynomials, RefuseSymmetriesBeyondTheirDegree) {
  EXPECT_THROW(makePairPolynomials<5>(firstSymmetries(8)), Error);
  EXPECT_THROW(makePairPolynomials<9>(firstSymmetries(16)), Error);
}

}  // namespace
}  // namespace prophet

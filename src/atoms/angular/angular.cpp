#include "atoms/angular/angular.hpp"

#include <algorithm>
#include <boost/math/special_functions/factorials.hpp>
#include <cmath>
#include <cstdlib>

namespace prophet {
namespace {

/// Throws std::overflow_error beyond the range of long double (n > 1754 on x86-64).
long double factorial(int n) { return boost::math::factorial<long double>(static_cast<unsigned>(n)); }

bool forbidden(int j1, int j2, int j3, int m1, int m2, int m3) {
  const bool projection = m1 + m2 + m3 != 0 || std::abs(m1) > j1 || std::abs(m2) > j2 || std::abs(m3) > j3;
  const bool triangle = j3 > j1 + j2 || j3 < std::abs(j1 - j2) || (j1 + j2 + j3) % 2 != 0;
  const bool parity = (j1 + m1) % 2 != 0 || (j2 + m2) % 2 != 0 || (j3 + m3) % 2 != 0;
  return projection || triangle || parity;
}

}  // namespace

double wigner3j(int twoJ1, int twoJ2, int twoJ3, int twoM1, int twoM2, int twoM3) {
  if (forbidden(twoJ1, twoJ2, twoJ3, twoM1, twoM2, twoM3)) return 0.0;
  const auto half = [](int n) { return n / 2; };
  const int a = half(twoJ1 + twoJ2 - twoJ3), b = half(twoJ1 - twoM1), c = half(twoJ2 + twoM2);
  const int d = half(twoJ3 - twoJ2 + twoM1), e = half(twoJ3 - twoJ1 - twoM2);

  long double sum = 0.0L;
  for (int t = std::max({0, -d, -e}); t <= std::min({a, b, c}); ++t) {
    const long double term = 1.0L / (factorial(t) * factorial(d + t) * factorial(e + t) * factorial(a - t) *
                                     factorial(b - t) * factorial(c - t));
    sum += t % 2 == 0 ? term : -term;
  }
  const long double triangle = factorial(a) * factorial(half(twoJ1 - twoJ2 + twoJ3)) *
                               factorial(half(-twoJ1 + twoJ2 + twoJ3)) /
                               factorial(half(twoJ1 + twoJ2 + twoJ3) + 1);
  const long double projections = factorial(half(twoJ1 + twoM1)) * factorial(b) * factorial(c) *
                                  factorial(half(twoJ2 - twoM2)) * factorial(half(twoJ3 + twoM3)) *
                                  factorial(half(twoJ3 - twoM3));
  const int phase = half(twoJ1 - twoJ2 - twoM3);
  const long double value = std::sqrt(triangle * projections) * sum;
  return static_cast<double>(phase % 2 == 0 ? value : -value);
}

std::vector<ExchangeTerm> exchangeTerms(Symmetry a, Symmetry b) {
  std::vector<ExchangeTerm> terms;
  const int kMin = std::abs(a.twoJ() - b.twoJ()) / 2, kMax = (a.twoJ() + b.twoJ()) / 2;
  for (int k = kMin; k <= kMax; ++k) {
    if ((a.l() + b.l() + k) % 2 != 0) continue;
    const double symbol = wigner3j(a.twoJ(), 2 * k, b.twoJ(), 1, 0, -1);
    if (symbol != 0.0) terms.push_back({k, symbol * symbol});
  }
  return terms;
}

}  // namespace prophet

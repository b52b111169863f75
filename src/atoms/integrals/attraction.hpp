#pragma once
#include "atoms/atom/nucleus.hpp"
#include "atoms/integrals/radial.hpp"

namespace prophet::radial {

/// integral_0^R r^n exp(-p r^2) dr, n >= 0: R^(n+1)/2 exp(-x) sum_k x^k / (a (a+1) ... (a+k)), a = (n+1)/2,
/// x = p R^2, all terms positive. For large x what lies beyond R is below rounding (n <= 20).
PROPHET_HD inline double momentWithin(int n, double p, double radius) {
  constexpr double kNothingBeyond = 100.0, kRounding = 1e-17;
  const double x = p * radius * radius, a = 0.5 * (n + 1);
  if (x > kNothingBeyond) return moment(n, p);
  double term = 1.0 / a, sum = term;
  for (int k = 1; term > kRounding * sum; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return 0.5 * power(radius, n + 1) * std::exp(-x) * sum;
}

/// integral_R^inf r^(2m+1) exp(-p r^2) dr = m!/(2 p^(m+1)) exp(-x) sum_(j=0..m) x^j/j!, x = p R^2.
PROPHET_HD inline double oddMomentBeyond(int m, double p, double radius) {
  const double x = p * radius * radius;
  double term = 1.0, sum = 1.0;
  for (int j = 1; j <= m; ++j) {
    term *= x / j;
    sum += term;
  }
  return 0.5 * factorial(m) * sum * std::exp(-x) / power(p, m + 1);
}

/// integral r^(2m+2) exp(-p r^2) U(r) dr, m >= 0, with U the potential of one charge spread evenly over a
/// sphere of this radius: (3 - r^2/R^2)/(2 R) within it, 1/r beyond. As gaussianCloud has it for a Gaussian
/// charge.
PROPHET_HD inline double sphereCloud(int m, double p, double radius) {
  const int n = 2 * m + 2;
  const double inside =
      (3.0 * momentWithin(n, p, radius) - momentWithin(n + 2, p, radius) / (radius * radius)) /
      (2.0 * radius);
  return inside + oddMomentBeyond(m, p, radius);
}

/// integral r^n exp(-p r^2) (-V(r)/Z) dr for even n >= 2, V an electron's potential energy.
PROPHET_HD inline double attraction(const NuclearAttraction& nucleus, int n, double p) {
  if (nucleus.form == AttractionForm::Point) return moment(n - 1, p);
  return nucleus.form == AttractionForm::Gaussian ? gaussianCloud(n / 2 - 1, p, nucleus.size)
                                                  : sphereCloud(n / 2 - 1, p, nucleus.size);
}

}  // namespace prophet::radial

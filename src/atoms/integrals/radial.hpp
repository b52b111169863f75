#pragma once
#include <cmath>

#include "atoms/atom/nucleus.hpp"
#include "core/common/host_device.hpp"

/// Closed forms of radial integrals over Gaussians, for host and device. Every sum has positive terms only,
/// so no digits are lost. Lengths in bohr, exponents in bohr^-2.
namespace prophet::radial {

/// x^n for n >= 0 by repeated squaring.
PROPHET_HD inline double power(double x, int n) {
  double result = 1.0;
  for (; n > 0; n >>= 1, x *= x) {
    if (n & 1) result *= x;
  }
  return result;
}

/// x^(n/2) for n >= 0.
PROPHET_HD inline double halfPower(double x, int n) {
  const double whole = power(x, n / 2);
  return n % 2 == 0 ? whole : whole * std::sqrt(x);
}

/// n!
PROPHET_HD inline double factorial(int n) {
  double result = 1.0;
  for (int i = 2; i <= n; ++i) result *= i;
  return result;
}

/// Gamma(n/2) for n >= 1.
PROPHET_HD inline double gammaHalf(int n) {
  constexpr double kSqrtPi = 1.77245385090551602730;
  double result = n % 2 == 0 ? 1.0 : kSqrtPi;
  for (int i = 2 - n % 2; i < n; i += 2) result *= 0.5 * i;
  return result;
}

/// integral_0^inf r^n exp(-a r^2) dr = Gamma((n+1)/2) / (2 a^((n+1)/2)), n >= 0.
PROPHET_HD inline double moment(int n, double a) { return 0.5 * gammaHalf(n + 1) / halfPower(a, n + 1); }

/// The part r2 < r1 ... of a Slater integral: integral over r2 of r2^(n2+k) exp(-b r2^2) times
/// integral over r1 > r2 of r1^(n1-k-1) exp(-a r1^2). Needs n1 + k and n2 + k even, n1 >= k + 2.
/// = (s!/4) sum_(j=0..s) Gamma(m+j) / (j! a^(s-j+1) (a+b)^(m+j)), s = (n1-k-2)/2, m = (n2+k+1)/2.
PROPHET_HD inline double slaterHalf(int k, int n1, double a, int n2, double b) {
  const int s = (n1 - k - 2) / 2, twoM = n2 + k + 1;
  const double ratio = a / (a + b);
  double term = 1.0, sum = 1.0;
  for (int j = 0; j < s; ++j) {
    term *= (0.5 * twoM + j) * ratio / (j + 1);
    sum += term;
  }
  return 0.25 * factorial(s) * gammaHalf(twoM) * sum / (power(a, s + 1) * halfPower(a + b, twoM));
}

/// Slater integral R^k of two charge distributions r^n1 exp(-a r^2) and r^n2 exp(-b r^2)
/// (docs/theory/dirac-hartree-fock.md, "Two-electron integrals").
PROPHET_HD inline double slater(int k, int n1, double a, int n2, double b) {
  return slaterHalf(k, n1, a, n2, b) + slaterHalf(k, n2, b, n1, a);
}

/// integral r^(2m+1) exp(-p r^2) erf(sqrt(xi) r) dr, m >= 0: the attraction of a Gaussian charge cloud.
/// By parts: (m!/(2 p^(m+1))) sqrt(xi/pi) sum_(j=0..m) p^j Gamma(j+1/2) / (j! (p+xi)^(j+1/2)).
PROPHET_HD inline double gaussianCloud(int m, double p, double xi) {
  const double ratio = p / (p + xi);
  double term = std::sqrt(xi / (p + xi)), sum = term;
  for (int j = 0; j < m; ++j) {
    term *= (j + 0.5) * ratio / (j + 1);
    sum += term;
  }
  return 0.5 * factorial(m) * sum / power(p, m + 1);
}

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

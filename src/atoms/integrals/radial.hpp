#pragma once
#include <cmath>

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

/// Slater integral R^k of two charge distributions r^n1 exp(-a r^2) and r^n2 exp(-b r^2) (docs/theory.md,
/// "Two-electron integrals").
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

}  // namespace prophet::radial

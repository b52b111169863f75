#include "matter/shape/exponential_differences.hpp"

#include <algorithm>
#include <cmath>

namespace prophet {
namespace {

using Complex = std::complex<double>;

/// Points within this of each other are summed as a series, beyond it the recursion loses at most a digit.
constexpr double kClose = 1.0;

/// exp(i m) sum_k i^k h_k(x - m) / (k + n)!, h_k the complete homogeneous polynomials of the n + 1 points and
/// m their mean.
template <std::size_t Count>
Complex series(const double (&x)[Count]) {
  double mean = 0;
  for (const double v : x) mean += v / Count;
  double d[Count];
  for (std::size_t i = 0; i < Count; ++i) d[i] = x[i] - mean;
  // h[i]: h_k of the points 0 ... i; h_k(0..i) = h_k(0..i-1) + d_i h_(k-1)(0..i).
  double h[Count];
  std::fill(h, h + Count, 1.0);
  double factor = 1;
  for (std::size_t n = 2; n < Count; ++n) factor /= static_cast<double>(n);
  Complex sum = factor, power = 1;
  for (int k = 1; k < 22; ++k) {
    double before = 0;
    for (std::size_t i = 0; i < Count; ++i) before = h[i] = before + d[i] * h[i];
    factor /= static_cast<double>(k) + static_cast<double>(Count) - 1;
    power *= Complex(0, 1);
    sum += power * (factor * h[Count - 1]);
  }
  return std::polar(1.0, mean) * sum;
}

}  // namespace

Complex exponentialDifference(double a, double b) {
  // (exp(ib) - exp(ia)) / (i (b - a)) = exp(i (a + b)/2) sin(h)/h
  const double half = 0.5 * (b - a);
  const double sinc = std::abs(half) < 1e-4 ? 1 - half * half / 6 : std::sin(half) / half;
  return std::polar(sinc, 0.5 * (a + b));
}

Complex exponentialDifference(double a, double b, double c) {
  double x[3] = {a, b, c};
  std::sort(x, x + 3);
  if (x[2] - x[0] < kClose) return series(x);
  return (exponentialDifference(x[1], x[2]) - exponentialDifference(x[0], x[1])) / Complex(0, x[2] - x[0]);
}

Complex exponentialDifference(double a, double b, double c, double d) {
  double x[4] = {a, b, c, d};
  std::sort(x, x + 4);
  if (x[3] - x[0] < kClose) return series(x);
  return (exponentialDifference(x[1], x[2], x[3]) - exponentialDifference(x[0], x[1], x[2])) /
         Complex(0, x[3] - x[0]);
}

}  // namespace prophet

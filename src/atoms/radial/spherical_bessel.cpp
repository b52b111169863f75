#include "atoms/radial/spherical_bessel.hpp"

#include <algorithm>
#include <cmath>

namespace prophet {

void sphericalBessel(int n, double x, double* values) {
  n = std::max(n, 1);
  if (x < 1e-8) {
    values[0] = 1;
    double term = 1;
    for (int k = 1; k <= n; ++k) values[k] = term *= x / (2 * k + 1);
    return;
  }
  if (x > n) {  // upwards is stable there
    values[0] = std::sin(x) / x;
    values[1] = (values[0] - std::cos(x)) / x;
    for (int k = 1; k < n; ++k) values[k + 1] = (2 * k + 1) / x * values[k] - values[k - 1];
    return;
  }
  double above = 0, here = 1e-250;
  for (int k = n + 20; k > 0; --k) {
    if (k <= n) values[k] = here;
    const double below = (2 * k + 1) / x * here - above;
    above = here;
    here = below;
    if (std::abs(here) < 1e200) continue;
    here *= 1e-250;
    above *= 1e-250;
    for (int i = std::max(k, 0); i <= n; ++i) values[i] *= 1e-250;
  }
  // j_0 or j_1, whichever is not near a zero, sets the scale.
  const double zero = std::sin(x) / x, one = x < 0.3 ? 0 : (zero - std::cos(x)) / x;
  const double scale = std::abs(zero) > std::abs(one) ? zero / here : one / values[1];
  values[0] = zero;
  for (int k = 1; k <= n; ++k) values[k] *= scale;
}

double sineDeficit(double x) {
  const double square = x * x;
  if (x > 0.5) return (1 - std::sin(x) / x) / square;
  double term = 1.0 / 6, sum = term;
  for (int k = 2; std::abs(term) > 1e-18; ++k) {
    term *= -square / ((2 * k) * (2 * k + 1));
    sum += term;
  }
  return sum;
}

}  // namespace prophet

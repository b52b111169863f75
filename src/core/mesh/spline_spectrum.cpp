#include "core/mesh/spline_spectrum.hpp"

#include <cmath>
#include <complex>

#include "core/common/math_constants.hpp"
#include "core/mesh/bspline.hpp"
#include "core/mesh/spline_filter.hpp"

namespace prophet {

std::vector<double> splineSpectrum(int order, int n) {
  double weights[kMostSplineOrder];
  splineWeights(order, 0.0, weights);  // M_p(p-1), ..., M_p(0) = 0
  std::vector<double> spectrum(static_cast<std::size_t>(n));
  for (int m = 0; m < n; ++m) {
    std::complex<double> sum = 0;
    for (int k = 0; k < order - 1; ++k) sum += weights[k] * std::polar(1.0, 2 * constants::kPi * m * k / n);
    const bool lost = order % 2 == 1 && 2 * m == n;
    spectrum[static_cast<std::size_t>(m)] = lost ? 0.0 : std::norm(sum);
  }
  return spectrum;
}

std::vector<double> inverseSpectrum(Assignment assignment, int order, int n) {
  std::vector<double> inverse = splineSpectrum(ownOrder(assignment, order), n);
  if (assignment == Assignment::Filter) {
    const std::vector<double> filter = filterSpectrum(filterWeights(order), n);
    for (std::size_t m = 0; m < inverse.size(); ++m) inverse[m] *= filter[m] * filter[m];
  }
  for (double& x : inverse) x = x > 0 ? 1 / x : 0.0;
  return inverse;
}

}  // namespace prophet

#pragma once
#include "core/common/host_device.hpp"
#include "core/common/names.hpp"

namespace prophet {

/// How charges get onto a mesh.
enum class Assignment {
  Spread,  ///< each particle adds its B-spline weights to order^3 points
  Gather,  ///< each point collects from the particles around it: nothing is added by two at once
  Filter   ///< narrow B-splines first (half the order), then a Gaussian filter along each axis
};

template <>
inline const Names<Assignment>& namesOf() {
  static const Names<Assignment> kNames = {
      {"spread", Assignment::Spread}, {"gather", Assignment::Gather}, {"filter", Assignment::Filter}};
  return kNames;
}

/// Order of the B-splines that particles themselves are spread with.
inline int ownOrder(Assignment a, int order) {
  return a != Assignment::Filter ? order : order < 4 ? 2 : (order + 1) / 2;
}

inline constexpr int kMostSplineOrder = 12;

/// Values of the cardinal B-spline M_p (support (0, p), integral 1) at f + p - 1, ..., f + 1, f, with f in
/// [0, 1): the weights of p neighbouring points of a mesh, in ascending order of the points; their sum is 1.
/// Recursion of U. Essmann et al., J. Chem. Phys. 103, 8577 (1995), eq. 4.1. `order` p from 2 on; `weights`:
/// p numbers.
PROPHET_HD inline void splineWeights(int order, double f, double* weights) {
  weights[0] = 1.0 - f;
  weights[1] = f;
  for (int p = 3; p <= order; ++p) {
    const double scale = 1.0 / (p - 1);
    weights[p - 1] = scale * f * weights[p - 2];
    for (int j = p - 2; j > 0; --j) {
      weights[j] = scale * ((f + p - 1 - j) * weights[j - 1] + (1 - f + j) * weights[j]);
    }
    weights[0] *= scale * (1.0 - f);
  }
}

/// The same with the derivatives in f: M_p'(x) = M_(p-1)(x) - M_(p-1)(x - 1).
PROPHET_HD inline void splineWeightsAndSlopes(int order, double f, double* weights, double* slopes) {
  if (order == 2) {
    splineWeights(2, f, weights);
    slopes[0] = -1.0;
    slopes[1] = 1.0;
    return;
  }
  splineWeights(order - 1, f, weights);
  slopes[0] = -weights[0];
  for (int j = 1; j < order - 1; ++j) slopes[j] = weights[j - 1] - weights[j];
  slopes[order - 1] = weights[order - 2];
  const double scale = 1.0 / (order - 1);
  weights[order - 1] = scale * f * weights[order - 2];
  for (int j = order - 2; j > 0; --j) {
    weights[j] = scale * ((f + order - 1 - j) * weights[j - 1] + (1 - f + j) * weights[j]);
  }
  weights[0] *= scale * (1.0 - f);
}

}  // namespace prophet

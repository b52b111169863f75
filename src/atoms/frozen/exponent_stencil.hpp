#pragma once
#include <cmath>

#include "core/common/host_device.hpp"

namespace prophet {

/// Equally spaced nodes in ln zeta, at which matrix elements between Gaussians are tabulated. As functions of
/// ln zeta these are analytic in a strip: integrals depend on sums of exponents, zeta + zeta', which vanish
/// at ln zeta = ln zeta' +- i pi and nowhere nearer to the real axis. Polynomials over kPoints nodes around a
/// point, `spacing` apart, miss by about (spacing/pi)^kPoints (Gamma((kPoints+1)/2)/sqrt(pi))^2.
struct ExponentNodes {
  static constexpr int kPoints = 16;
  double first = 0;    ///< ln zeta of node 0, zeta in bohr^-2
  double spacing = 0;  ///< in ln zeta
  int count = 0;

  /// Whether an exponent has kPoints/2 nodes on either side.
  PROPHET_HD bool contains(double zeta) const {
    const double place = (std::log(zeta) - first) / spacing;
    return place >= kPoints / 2 - 1 && place < count - kPoints / 2;  // false for not-a-number
  }
  /// Lagrange's weights of the kPoints nodes around an exponent that `contains`, and unless it is nullptr
  /// their derivatives with respect to ln zeta; returns the first node's number.
  PROPHET_HD int stencil(double zeta, double* weights, double* slopes = nullptr) const {
    const double place = (std::log(zeta) - first) / spacing;
    const int start = static_cast<int>(place) - (kPoints / 2 - 1);
    const double t = place - start;
    double left = 1.0, leftSlope = 0.0;  // product over the nodes before, and its derivative
    for (int j = 0; j < kPoints; ++j) {
      weights[j] = left;
      if (slopes) slopes[j] = leftSlope;
      leftSlope = (leftSlope * (t - j) + left) / (j + 1);
      left *= (t - j) / (j + 1);
    }
    double right = 1.0, rightSlope = 0.0;
    for (int j = kPoints - 1; j >= 0; --j) {
      if (slopes) slopes[j] = (slopes[j] * right + weights[j] * rightSlope) / spacing;
      weights[j] *= right;
      rightSlope = (rightSlope * (j - t) - right) / (kPoints - j);
      right *= (j - t) / (kPoints - j);
    }
    return start;
  }
};

}  // namespace prophet

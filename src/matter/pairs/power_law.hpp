#pragma once
#include <Eigen/Core>

namespace prophet {

/// y = c x^exponent, fitted to the logarithms.
struct PowerLaw {
  double exponent = 0;
  double error = 0;  ///< standard error of the exponent, from what the fit leaves over
  int points = 0;
};

/// By least squares to the points with low <= x <= high; a point has the weight of the logarithm of x that it
/// stands for, so that the density of points does not matter. Throws Error for fewer than three points, x
/// that do not increase, and numbers that are not above 0.
PowerLaw powerLaw(const Eigen::VectorXd& x, const Eigen::VectorXd& y, double low, double high);

}  // namespace prophet

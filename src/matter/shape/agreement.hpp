#pragma once
#include <Eigen/Core>

namespace prophet {

/// How a computed intensity agrees with a measured one.
struct Agreement {
  double scale = 0;        ///< of the computed intensity
  double background = 0;   ///< a constant, in the unit of the measured intensity
  Eigen::VectorXd fitted;  ///< scale times computed + background
  double r = 0;            ///< sum |measured - fitted| / sum |measured|
  double rWeighted = 0;    ///< sqrt(sum w (measured - fitted)^2 / sum w measured^2), w = 1/sigma^2
  double chiSquared = 0;   ///< reduced
};

/// Scale and, where it is wanted, background by linear least squares with weights 1/sigma^2. R factors as in
/// R. A. Young (ed.), The Rietveld Method (1993), chapter 1. Throws Error for fewer than three points, and
/// where the computed intensity is 0, or equal, everywhere.
Agreement agreementOf(const Eigen::VectorXd& measured, const Eigen::VectorXd& sigma,
                      const Eigen::VectorXd& computed, bool background);

}  // namespace prophet

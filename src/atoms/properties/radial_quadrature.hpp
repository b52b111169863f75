#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

/// Integrals over r from 0 to `end`: ten-point Gauss-Legendre panels in ln r; below `join` a function is
/// r^power times a polynomial in r^step, fitted to its values, and integrated in closed form.
class RadialQuadrature {
 public:
  struct Range {
    double join = 0, end = 0;    ///< bohr, 0 < join < end
    std::vector<double> breaks;  ///< radii where derivatives jump, which panels must not contain
    double panel = 0.25;         ///< greatest width of a panel in ln r
    double step = 1;             ///< 1, or 2 for functions that are even but for r^power
  };
  explicit RadialQuadrature(const Range& range);

  /// Where functions are to be given, bohr: at the points of the fit, then at those of the panels.
  const Eigen::VectorXd& radii() const { return radii_; }
  /// Integral of the function with these values at radii(), which begins with r^power, power > -1, at r = 0.
  double integral(const Eigen::Ref<const Eigen::ArrayXd>& values, double power) const;

 private:
  double step_;
  Eigen::MatrixXd fit_;              ///< from values at the first points to the polynomial's coefficients
  Eigen::VectorXd radii_, weights_;  ///< of all points; of those in panels
};

}  // namespace prophet

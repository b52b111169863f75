#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

/// Least and largest ratio of neighbouring exponents of a list.
struct RatioBounds {
  double least = 1.2, most = 30.0;
};

/// Lists of ascending exponents as variables that any real numbers are: for each list ln of its first
/// exponent, then for each ratio to the next v = ln((x - a)/(b - x)), x = ln ratio between the bounds a and
/// b. Exponents stay in order and apart whatever a minimiser tries, and the energy stays smooth.
class RatioVariables {
 public:
  /// Throws Error unless 1 < least < most.
  explicit RatioVariables(RatioBounds bounds);
  /// Ratios on or beyond a bound are moved inside, by a hundredth of the interval.
  Eigen::VectorXd toVariables(const std::vector<std::vector<double>>& lists) const;
  /// `shape` gives the lengths of the lists.
  std::vector<std::vector<double>> toLists(const Eigen::VectorXd& v,
                                           const std::vector<std::vector<double>>& shape) const;
  /// dE/dv from dE/d ln zeta, list after list.
  Eigen::VectorXd gradient(const Eigen::VectorXd& v, const Eigen::VectorXd& byExponents,
                           const std::vector<std::vector<double>>& shape) const;

 private:
  double low_, high_;  ///< ln of the bounds
};

}  // namespace prophet

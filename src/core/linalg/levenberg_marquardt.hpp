#pragma once
#include <Eigen/Core>
#include <functional>

namespace prophet {

/// Differences whose sum of squares is to be the least, as functions of unknowns.
struct SquareSum {
  Eigen::Index unknowns = 0, differences = 0;
  std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& f)> evaluate{};
  /// The differences' derivatives, a column for each unknown; empty: these are taken from differences on both
  /// sides.
  std::function<void(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian)> differentiate{};
  double step = 0;  ///< of those differences, as a share of the unknown; its value where that is zero
};

/// When a search ends, and how far its first step goes.
struct SearchLimits {
  double change = 0;    ///< of the unknowns, relative
  double decrease = 0;  ///< of the sum, relative
  /// First radius of trust in units of the start's scaled length, or itself where that is zero.
  double reach = 100;
};

/// Moves x to a minimum of the sum by the method of Levenberg and Marquardt (J. J. Moré, Lecture Notes in
/// Mathematics 630 (1978) 105; MINPACK's, by Eigen); false where 400 evaluations do not get there. It is
/// compiled once here, as Eigen's takes seconds in every source that names it.
bool minimiseSquareSum(const SquareSum& sum, const SearchLimits& limits, Eigen::VectorXd& x);

}  // namespace prophet

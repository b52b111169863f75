#pragma once
#include <Eigen/Core>
#include <utility>

#include "atoms/atom/symmetry.hpp"
#include "atoms/levels/levels.hpp"

namespace prophet {

/// Radial functions P and Q of one symmetry and their derivatives at some radii, a column for each.
struct SlopedFunctions {
  Symmetry symmetry;
  Eigen::MatrixXd large, small, largeSlope, smallSlope;
};

/// The radial integrals of the recoil (RecoilOperator) between functions at some radii: a row for each of the
/// first ones, a column for each of the others.
class RecoilElements {
 public:
  /// `lengths`: dr of the points.
  RecoilElements(const Eigen::VectorXd& radii, Eigen::VectorXd lengths, const LevelField& field)
      : inverse_(radii.cwiseInverse()),
        lengths_(std::move(lengths)),
        strength_(field.nucleus.charge / field.speedOfLight),
        isPoint_(field.nucleus.isPoint()) {}

  /// i <a||p||c> and i <a||D||c>, which are real; empty where symmetries exclude them.
  Eigen::MatrixXd momentum(const SlopedFunctions& a, const SlopedFunctions& c) const;
  Eigen::MatrixXd photon(const SlopedFunctions& a, const SlopedFunctions& c) const;
  /// <a|p^2 - D.p|b>/2 of one electron; both of one symmetry. Below `edge`, above which `first` is the first
  /// point, it is integrated as a power of r: next to the nucleus, where that falls so slowly at a point
  /// nucleus that what lies below the points counts, and where derivatives are not as good as elsewhere.
  Eigen::MatrixXd normal(const SlopedFunctions& a, const SlopedFunctions& b, Eigen::Index first,
                         double edge) const;

 private:
  Eigen::VectorXd inverse_, lengths_;
  double strength_;  ///< alpha Z
  bool isPoint_;
};

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/wavefunction.hpp"
#include "atoms/calculation/result.hpp"

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

/// Integrals over the occupied spinors of a result, whatever their functions are expanded in. Relative
/// accuracy: rounding of the functions, 1e-11 or better (docs/reference/properties.md).
class SpinorIntegrals {
 public:
  /// A function of r at the points of the quadrature, and the power of r that it begins with at r = 0.
  struct Weight {
    Eigen::ArrayXd values;
    double power = 0;
  };

  /// Throws Error if the result has no wavefunction.
  SpinorIntegrals(const AtomProblem& problem, const Result& result);

  int count() const { return static_cast<int>(spinors_.size()); }
  const Spinor& spinor(int index) const { return spinors_[index]; }
  /// Whether the integral of r^k (P^2 + Q^2) dr exists: k + 1 + 2 p > 0 with p the smaller one of the powers
  /// that P and Q of an exact solution begin with (Gaussians at a point nucleus have integrals that it has
  /// not).
  bool exists(int index, double k) const;
  Weight weight(const std::function<double(double)>& function, double power = 0) const;
  Weight powerWeight(int k) const;
  /// Integral of weight (P^2 + Q^2) dr; it must exist.
  double density(int index, const Weight& weight) const;
  /// Integral of weight (P_i P_j + Q_i Q_j) dr between two spinors; it must exist.
  double between(int i, int j, const Weight& weight) const;
  /// Sum over all spinors of occupation times density(); it must exist for each that is occupied.
  double total(const Weight& weight) const;
  /// Whether the integral of r^k P Q dr exists, and its value.
  bool productExists(int index, int k) const;
  double product(int index, int k) const;
  /// Integral of r^k (P_i Q_j + Q_i P_j) dr between two spinors; it must exist.
  double productBetween(int i, int j, int k) const;

 private:
  std::vector<Spinor> spinors_;
  std::vector<LeadingPowers> exact_, own_;  ///< of an exact solution, and of these functions
  RadialQuadrature quadrature_;
  Eigen::ArrayXXd large_, small_;  ///< P and Q: points x spinors
};

}  // namespace prophet

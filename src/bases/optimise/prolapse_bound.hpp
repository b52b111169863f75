#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/frozen/frozen_field.hpp"

namespace prophet {

/// Keeps the prolapse of a set (as a small-component defect, docs/theory.md) below a share of its error
/// against the complete basis, as an augmented Lagrangian: with g = prolapse - share e, hartree, e the error
/// where the bound came into play (that of the least energy: a bound that grew with the error would reward
/// poor sets), what is minimised is
///   E + (max(0, mu + rho g)^2 - mu^2) / (2 rho),
/// whose minimum for the right multiplier mu has g <= 0. Source: M. J. D. Powell, in Optimization, ed. R.
/// Fletcher (1969), p. 283. The limit is the energy of the frozen field's reference.
class ProlapseBound {
 public:
  /// Throws Error as FrozenField does.
  ProlapseBound(const AtomProblem& problem, double share);

  /// Adds the bound's part to a value and to its derivatives with respect to ln zeta (those of the energy).
  /// `slope`: the derivatives of g times the square root of rho where the bound acts, whose square is most of
  /// the bound's part of the second derivatives; else empty.
  void add(const BasisSet& basis, double& value, std::vector<Eigen::VectorXd>& gradient,
           std::vector<Eigen::VectorXd>& slope);
  /// Adds `weight` times the prolapse to a value, and its derivatives to those of the value.
  void addWeighted(const BasisSet& basis, double weight, double& value,
                   std::vector<Eigen::VectorXd>& gradient);
  /// The energy in the frozen field, hartree: the reference's and what the symmetries of the set raise it by;
  /// `gradient`: with respect to ln zeta. Throws Error as FrozenField::defectSlopes does.
  double frozenEnergy(const BasisSet& basis, std::vector<Eigen::VectorXd>& gradient);
  /// Measures the prolapse of all symmetries and sets the multiplier for what comes next; whether the bound
  /// is kept.
  bool settle(const BasisSet& basis, double energy);

  double limit() const { return field_.referenceEnergy(); }
  double prolapse() const { return prolapse_; }  ///< at the last settle
  double multiplier() const { return multiplier_; }

 private:
  struct Measured : DefectSlopes {
    std::vector<double> exponents;
  };
  double measure(const BasisSet& basis, const std::vector<int>& symmetries,
                 std::vector<Eigen::VectorXd>& gradient);
  const Measured& measureOne(int symmetry, const std::vector<double>& exponents);

  FrozenField field_;
  /// The last two of each symmetry: a search that moves one exponent, or one l, leaves the others as they
  /// were.
  std::vector<std::array<Measured, 2>> known_;
  double share_;
  double most_ = 0;  ///< share e; 0 before the bound came into play
  bool settled_ = false;
  double prolapse_ = 0, multiplier_ = 0, stiffness_ = 0;
  std::vector<int> acting_;  ///< symmetries whose prolapse counts; empty: the bound is far
  double resting_ = 0;       ///< prolapse of the others
};

}  // namespace prophet

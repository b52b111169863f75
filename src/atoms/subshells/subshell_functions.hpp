#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/wavefunction.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/subshells/log_grid.hpp"

namespace prophet {

/// How fine the grids in ln r and ln p are.
enum class GridSpacing {
  Fine,   ///< 1/32: rounding of the functions
  Coarse  ///< 1/16: 1e-8 of profiles and form factors, in half the time
};

/// Largest momentum of the transforms, 1/bohr.
inline constexpr double kLargestSubshellMomentum = 1e5;

/// The occupied spinors of a result in r and in p space, on logarithmic grids: what all tables of subshells
/// are made of. Columns are spinors, in the order of Result::spinors.
///
/// psi(p) = [(-i)^l g chi_kappa; i (-i)^l' f chi_-kappa] with g = sqrt(2/pi) integral P r j_l(pr) dr, f the
/// same of Q with l' = l(-kappa); integral (g^2 + f^2) p^2 dp = 1. Of spinors that are expanded in Gaussians
/// both are sums of Gaussians; others are transformed on the grid.
class SubshellFunctions {
 public:
  /// Throws Error if the result has no wavefunction.
  SubshellFunctions(const AtomProblem& problem, const Result& result,
                    GridSpacing spacing = GridSpacing::Fine);

  const AtomProblem& problem() const { return problem_; }
  int count() const { return static_cast<int>(spinors_.size()); }
  const std::vector<Spinor>& spinors() const { return spinors_; }
  const Spinor& spinor(int index) const { return spinors_[static_cast<std::size_t>(index)]; }
  /// All spinors have so many.
  double electrons() const;

  const LogGrid& radii() const { return radii_; }
  const Eigen::VectorXd& r() const { return r_; }
  const Eigen::MatrixXd& large() const { return large_; }  ///< P, bohr^-1/2
  const Eigen::MatrixXd& small() const { return small_; }  ///< Q
  /// P_a P_b + Q_a Q_b.
  Eigen::VectorXd density(int a, int b) const;
  Eigen::MatrixXd densities() const;
  /// The powers of r that P and Q begin with.
  const LeadingPowers& powers(int index) const { return powers_[static_cast<std::size_t>(index)]; }
  /// Integral over all r of a function with these values, which begins as r^power, power > -1.
  double integral(const Eigen::Ref<const Eigen::ArrayXd>& values, double power) const;

  const LogGrid& momenta() const { return momenta_; }
  const Eigen::MatrixXd& waveLarge() const { return waveLarge_; }  ///< g, bohr^3/2
  const Eigen::MatrixXd& waveSmall() const { return waveSmall_; }  ///< f
  BesselTransform& transform() const { return transform_; }

  /// Whether they are expanded in Gaussians.
  bool areGaussians() const { return gaussians_; }

 private:
  void transformWaves();
  bool sumGaussians(const Wavefunction& wavefunction);

  AtomProblem problem_;
  std::vector<Spinor> spinors_;
  std::vector<LeadingPowers> powers_;
  LogGrid radii_, momenta_;
  Eigen::VectorXd r_;
  Eigen::MatrixXd large_, small_, waveLarge_, waveSmall_;
  bool gaussians_ = false;
  mutable BesselTransform transform_;
};

/// w_ab = <n_i n_j>, i != j, of an electron state i of subshell a and j of b, in the average of the
/// configuration: 1 between closed subshells.
Eigen::MatrixXd pairProbabilities(const Configuration& configuration);

}  // namespace prophet

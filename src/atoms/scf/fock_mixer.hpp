#pragma once
#include <Eigen/Core>
#include <limits>
#include <vector>

#include "atoms/scf/scf.hpp"

namespace prophet {

/// Coefficients c with sum 1 that make |sum c_i e_i|^2 least; `products`: scalar products of the errors e_i.
Eigen::VectorXd diisCombination(const Eigen::MatrixXd& products);

/// Pulay's direct inversion in the iterative subspace over the Fock matrices of all symmetries together.
/// Source: P. Pulay, J. Comput. Chem. 3, 556 (1982). Storage is taken on the first `depth` calls and reused.
class Diis {
 public:
  explicit Diis(int depth);
  /// Stores the pair (fock, error) and replaces `fock` by the combination of stored ones with the least
  /// error.
  void extrapolate(std::vector<Eigen::MatrixXd>& fock, const std::vector<Eigen::MatrixXd>& error);

 private:
  int depth_, stored_ = 0, next_ = 0;
  std::vector<std::vector<Eigen::MatrixXd>> focks_, errors_;
  Eigen::MatrixXd products_;  ///< scalar products of the stored errors
};

/// Follows the largest element of the orbital gradient through the iterations.
class ConvergenceWatch {
 public:
  void see(double gradient) {
    improved_ = gradient < best_;
    if (improved_) best_ = gradient;
    if (gradient < kProgress * mark_) {
      mark_ = gradient;
      idle_ = 0;
    } else {
      ++idle_;
    }
  }
  /// Whether the last iteration had the smallest gradient so far.
  bool improved() const { return improved_; }
  /// Whether the gradient has not halved for many iterations.
  bool stalled() const { return idle_ >= kPatience; }
  /// Starts counting iterations without progress anew, after a change of method.
  void beginAgain() {
    idle_ = 0;
    mark_ = std::numeric_limits<double>::infinity();
  }

 private:
  static constexpr double kProgress = 0.5;
  static constexpr int kPatience = 12;
  double best_ = std::numeric_limits<double>::infinity(), mark_ = best_;
  int idle_ = 0;
  bool improved_ = false;
};

/// Makes the Fock matrices of the next iteration from this one's and the earlier ones (the input language's
/// `ixtrp`): None damps, F = (1 - d) F_new + d F_old; Fock damps and, every fourth iteration, extrapolates
/// the geometric series that the damped matrices form; Diis is Pulay's method.
class FockMixer {
 public:
  FockMixer(Extrapolation kind, double damping);
  /// `error`: orbital gradients, used by Diis only.
  void mix(std::vector<Eigen::MatrixXd>& fock, const std::vector<Eigen::MatrixXd>& error);

 private:
  void damp(std::vector<Eigen::MatrixXd>& fock);
  void extrapolateSeries(std::vector<Eigen::MatrixXd>& fock);

  Extrapolation kind_;
  double damping_;
  int calls_ = 0;
  Diis diis_;
  std::vector<Eigen::MatrixXd> previous_, previousChange_;
};

}  // namespace prophet

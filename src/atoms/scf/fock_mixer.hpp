#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/scf/diis.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

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

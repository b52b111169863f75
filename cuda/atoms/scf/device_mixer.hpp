#pragma once
#include <vector>

#include "atoms/scf/scf.hpp"
#include "cuda/atoms/scf/scf_kernels.hpp"
#include "cuda/core/common/workspace.hpp"

namespace prophet::cuda {

/// FockMixer on the device: the Fock matrices of all symmetries are one array of `size` numbers. DIIS stays
/// there altogether; series of damped matrices bring two scalar products to the host.
class DeviceMixer {
 public:
  DeviceMixer(Extrapolation kind, double damping, std::int64_t size, Workspace& workspace);

  /// Where the next iteration's Fock matrices and gradients are to be written.
  double* fock() { return focks_[next_].data(); }
  double* gradient() { return gradients_[next_].data(); }
  /// Writes to `mixed` what the next eigenproblem takes, from what fock() and gradient() hold.
  void mix(double* mixed);

 private:
  void diis(double* mixed);
  void damp(double* mixed);
  double seriesRatio();
  std::vector<double> products(const History& a, const double* b, int count);

  Extrapolation kind_;
  double damping_;
  std::int64_t size_;
  cudaStream_t stream_;
  int calls_ = 0, stored_ = 0, next_ = 0;
  std::vector<DeviceBuffer<double>> focks_, gradients_;
  DeviceBuffer<double> previous_, change_, previousChange_, dots_, diisWork_;
};

}  // namespace prophet::cuda

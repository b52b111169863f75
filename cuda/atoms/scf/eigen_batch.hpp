#pragma once
#include <vector>

#include "cuda/core/common/workspace.hpp"

namespace prophet::cuda {

/// Eigenproblems of `batch` symmetric matrices of one size n at once. Workspace is taken once.
class EigenBatch {
 public:
  EigenBatch(int n, int batch, Workspace& workspace);

  /// `matrices`: batch x n x n on the device, the lower triangles are read; replaced by eigenvectors
  /// (columns). `values`: batch x n, ascending. Queued on the workspace's stream.
  void solve(double* matrices, double* values);
  /// Throws Error if a problem of the last solve failed; waits for it.
  void checkLast() const;

 private:
  int n_, batch_;
  cudaStream_t stream_;
  SolverHandle solver_;
  SolverParameters parameters_;
  DeviceBuffer<char> deviceWork_;
  std::vector<char> hostWork_;
  DeviceBuffer<int> info_;
};

}  // namespace prophet::cuda

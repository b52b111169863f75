#pragma once
#include <string>

#include "cuda/atoms/scf/scf_kernels.hpp"
#include "cuda/core/common/workspace.hpp"

namespace prophet::cuda {

/// What calculations with stored integrals on one GPU share, so that only the first of them waits for it:
/// handles, streams, and memory, of which as much is kept as the largest calculation took. One calculation
/// uses it at a time.
class StoredContext {
 public:
  /// For the current device.
  StoredContext();

  const Stream stream{Priority::High}, integralStream;
  Workspace workspace{stream};
  const BlasHandle blas{stream.get()};
  const std::string device;  ///< "NVIDIA H200"
  /// What the host reads after every iteration: one for each symmetry (at most 15), then what failed.
  struct Report {
    SymmetryMeasures measures[16];
    int failures;
  };
  PinnedBuffer<Report> report{1};

  /// Waits for everything that was queued; errors are those of the calculation that queued it.
  void quiesce() const noexcept;
};

}  // namespace prophet::cuda

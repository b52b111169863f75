#pragma once
#include <nvtx3/nvToolsExt.h>

namespace prophet::cuda::batch {

/// A named range of the calling thread in the timelines of Nsight; costs nothing where no tool listens.
class PhaseRange {
 public:
  explicit PhaseRange(const char* name) { nvtxRangePushA(name); }
  ~PhaseRange() { nvtxRangePop(); }
  PhaseRange(const PhaseRange&) = delete;
  PhaseRange& operator=(const PhaseRange&) = delete;
};

}  // namespace prophet::cuda::batch

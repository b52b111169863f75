#pragma once
#include "cuda/atoms/fock/contraction_kernels.hpp"

namespace prophet::cuda {

/// Symmetry of a pair.
__device__ inline int symmetryOf(const ContractionView& view, std::int64_t pair) {
  int a = 0;
  while (pair >= view.pairOffset[a + 1]) ++a;
  return a;
}

}  // namespace prophet::cuda

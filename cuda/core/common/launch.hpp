#pragma once
#include <algorithm>
#include <cstdint>

namespace prophet::cuda {

/// Blocks for a grid-stride loop over `count` items: enough to fill any GPU many times over, so that uneven
/// items even out, but not one block for every few items.
inline int gridFor(std::int64_t count, int threads) {
  return static_cast<int>(std::min<std::int64_t>((count + threads - 1) / threads, 1 << 15));
}

}  // namespace prophet::cuda

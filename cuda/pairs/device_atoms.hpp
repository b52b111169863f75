#pragma once
#include <vector>

#include "cuda/common/buffer.hpp"
#include "cuda/pairs/kernels.hpp"
#include "pairs/pair_histogram.hpp"

namespace prophet::cuda {

/// The atoms of a structure as the kernels read them.
struct AtomTable {
  std::vector<float4> atoms;    ///< sorted by kind: relative to the centre, or fractions of the box
  std::vector<float4> spheres;  ///< around each chunk of each kind; empty where no unit can be skipped
  std::vector<std::uint32_t> first, sphereFirst;  ///< of each kind, and the end
  DeviceBox box;
  bool everyPair = false;  ///< no pair is beyond the range
};

/// Sorts the atoms; where the range is shorter than the structure, near ones follow each other.
AtomTable tableOf(const Structure& structure, double range);

/// All kinds of pairs of `first` as tables of units; `groups` becomes their number.
std::vector<KindPair> kindPairs(const std::vector<std::uint32_t>& first, std::uint64_t& groups);

}  // namespace prophet::cuda

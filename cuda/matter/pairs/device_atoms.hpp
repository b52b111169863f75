#pragma once
#include <vector>

#include "cuda/core/common/buffer.hpp"
#include "cuda/matter/pairs/kernels.hpp"
#include "matter/pairs/pair_histogram.hpp"

namespace prophet::cuda {

/// The atoms of a structure as the kernels read them.
struct AtomTable {
  std::vector<float4> atoms;     ///< sorted by kind, relative to the centre; not of a periodic structure
  std::vector<uint4> fractions;  ///< of a periodic structure, in 2^-32 edges of the box
  std::vector<Point> exact;      ///< the same in edges
  std::vector<ChunkBox> boxes;   ///< of each chunk of each kind; empty where no unit can be skipped
  std::vector<std::uint32_t> first, boxFirst;  ///< of each kind, and the end
  std::vector<float4> images;                  ///< of a periodic structure, as HistogramArguments has them
  DeviceBox box;
  bool everyPair = false;  ///< no pair is beyond the range
};

/// Sorts the atoms; where the range is shorter than the structure, near ones follow each other. Throws Error
/// where the range spans more boxes than make sense.
AtomTable tableOf(const Structure& structure, double range);

/// These pairs of the kinds that lie from `first` as tables of units; `groups` becomes their number.
/// `boxFirst` may be empty.
std::vector<KindPair> kindPairs(const std::vector<PairShare::Kinds>& pairs,
                                const std::vector<std::uint32_t>& first,
                                const std::vector<std::uint32_t>& boxFirst, std::uint64_t& groups);

/// Pairs of atoms that they stand for.
double pairsIn(const KindPair& pair);

}  // namespace prophet::cuda

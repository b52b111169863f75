#pragma once
#include <cstdint>

namespace prophet {

/// Bits of a place that tell where in its bin a distance lies.
inline constexpr int kPlaceBits = 12;

/// A bin of the private histograms: the number of pairs in the upper 28 bits, the sum of the lower
/// kPlaceBits bits of their places in the others; one addition does both. Holds for kMostPairs pairs.
using PackedBin = std::uint64_t;
inline constexpr int kCountShift = 36;
inline constexpr std::size_t kMostPairs = std::size_t{1} << (kCountShift - kPlaceBits);

/// Coordinates of many atoms, angstrom.
template <class Real>
struct Coordinates {
  const Real *x, *y, *z;
};

/// Sorts the distances of one atom from `count` others into a packed histogram of `bins` + 1 bins, the last
/// of which takes all that are too far. `scale`: 2^kPlaceBits over the width of a bin.
void addDistances(const Coordinates<float>& others, int count, const float (&atom)[3], float scale, int bins,
                  PackedBin* histogram);
void addDistances(const Coordinates<double>& others, int count, const double (&atom)[3], double scale,
                  int bins, PackedBin* histogram);

}  // namespace prophet

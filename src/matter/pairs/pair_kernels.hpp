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

/// sum of inverse[k] sin(2 pi turns r[k]) over `count` distances; a multiple of 16. `turns`: q/(2 pi), as the
/// sum of two numbers, and in single precision the distances too, so that a phase of many turns loses nothing
/// before it is reduced to one.
double sumOfSines(const float* r, const float* rRest, const float* inverse, int count, float turns,
                  float turnsRest);
double sumOfSines(const double* r, const double* inverse, int count, double turns, double turnsRest);

/// The same where every distance has a weight of its own and turns differ: out[k] += weight sin(2 pi turns[k]
/// r), for `count` values of q.
void addSines(const double* turns, int count, double r, double weight, double* out);

}  // namespace prophet

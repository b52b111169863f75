#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "cuda/matter/pairs/pair_units.hpp"

namespace prophet::cuda {

/// Bins that fit into the shared memory of one multiprocessor of 9.0; fewer elsewhere.
inline constexpr int kMostSharedBins = 57344;
/// Bins of a histogram at most: their places, and those a little beyond, are whole numbers of 23 bits.
inline constexpr int kMostDeviceBins = 65000;
/// Bits of a place in a bin, as a float that is scaled to places has 23 in all.
inline constexpr int kDevicePlaceBits = 7;

/// The box of a periodic structure; coordinates are then fractions of its edges.
struct DeviceBox {
  bool periodic = false;
  bool square = true;           ///< its edges are at right angles
  float rows[9] = {};           ///< of the lattice, angstrom, turned so that they are a lower triangle
  double exactRows[9] = {};     ///< of the lattice as it is
  float widths[3] = {1, 1, 1};  ///< angstrom between opposite faces for 1 of a coordinate
};

/// The box around the atoms of a chunk, along the coordinates.
struct ChunkBox {
  float centre[3], half[3];
};

/// A position: angstrom, or fractions of the box.
struct alignas(16) Point {
  double x, y, z, unused;
};

/// Arguments of the histogram kernels. Results are added to what is there.
struct HistogramArguments {
  const float4* atoms;     ///< sorted by kind; not of a periodic structure
  const uint4* fractions;  ///< of a periodic structure, in 2^-32 edges
  const Point* exact;      ///< the same
  const ChunkBox* boxes;   ///< of all chunks; null: no unit is skipped
  const KindPair* pairs;
  int pairCount;
  std::uint64_t groups;  ///< of all pairs
  int part, parts;       ///< which groups are to be done
  int bins;
  float scale;     ///< places in one angstrom: 2^kDevicePlaceBits/width
  float range;     ///< angstrom
  bool everyPair;  ///< no pair is beyond the range
  /// Pairs of chunks that are farther apart have no pair within the range; with room for roundings.
  float reach;
  DeviceBox box;
  /// A periodic structure's translations of the nearest image, in edges, that may bring it into the range.
  const float4* images;
  int imageCount;
  /// Distances in single precision are wrong by up to `edge` places. Those so near to the end of one of the
  /// bins that were asked for, of `binPlaces` = 2^binShift places and `width` angstrom, are computed anew: a
  /// place, times edgeFactor in 32 bits, plus edgeOffset is then at most edgeWindow.
  unsigned binPlaces, binShift, edge, edgeFactor, edgeOffset, edgeWindow;
  double width;
  unsigned long long* nextGroup;
  unsigned long long* counts;   ///< [pair][bin]
  unsigned long long* places;   ///< [pair][bin]: sum of places in the bin
  unsigned long long* inRange;  ///< pairs that were sorted in
};

/// Fine histogram, private to each block, in shared memory. `blocks`: one for each multiprocessor. `slices`:
/// how often within a unit full words are emptied, a power of 2 up to kChunk.
void launchSharedHistogram(const HistogramArguments& arguments, int blocks, int slices, cudaStream_t stream);
/// The simple kernel: a thread for an atom i, all j, an atomic addition in global memory for each pair.
/// `pairs`: those of the arguments.
void launchGlobalHistogram(const HistogramArguments& arguments, const std::vector<KindPair>& pairs,
                           cudaStream_t stream);

/// Momenta of one launch of the direct sums, high + low.
template <class R, int N>
struct Momenta {
  using Real = R;
  static constexpr int kCount = N;
  static constexpr double kUnit =
      sizeof(R) == 4 ? 1 : 2;  ///< times pi: half turns in single precision, turns
  Real high[N], low[N];
};
using SingleMomenta = Momenta<float, 32>;
using DoubleMomenta = Momenta<double, 8>;

/// Equally spaced momenta q_0 + k step, over pi, high + low: 4 centres q_0 + (8 c + 3.5) step, and half a
/// step.
struct MomentumLadder {
  static constexpr int kCount = 32, kCentres = 4;
  float centreHigh[kCentres], centreLow[kCentres], halfStep[2];
};

/// The same in double precision, over 2 pi: the first of 8 centres.
struct DoubleLadder {
  static constexpr int kCount = 64, kCentres = 8;
  double first, halfStep;
};

/// Adds sums of sin(qr)/r of these pairs to sums[kCount], and the number of pairs closer than 1e-6
/// angstrom to `touching`. Blocks do the tiles part, part + parts, ... With the first two phases and sines
/// are in single precision.
void launchDirect(const Point* atoms, const KindPair& pair, const SingleMomenta& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream);
void launchDirect(const Point* atoms, const KindPair& pair, const MomentumLadder& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream);
void launchDirect(const Point* atoms, const KindPair& pair, const DoubleMomenta& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream);
void launchDirect(const Point* atoms, const KindPair& pair, const DoubleLadder& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream);

/// sums[k] = sum over points of weights sin(q[k] r), in double precision.
void launchTransform(const double* r, const double* weights, int points, const double* turns, int momenta,
                     double* sums, cudaStream_t stream);

}  // namespace prophet::cuda

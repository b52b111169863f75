#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/pairs/pair_units.hpp"

namespace prophet::cuda {

/// Bins that fit into the shared memory of one multiprocessor of 9.0; fewer elsewhere.
inline constexpr int kMostSharedBins = 57344;
/// Bits of a place in a bin, as a float that is scaled to places has 23 in all.
inline constexpr int kDevicePlaceBits = 7;
/// Warps of a block, each with a unit of its own: a group of units.
inline constexpr int kGroup = 32;
/// Kinds of pairs that a launch can do.
inline constexpr int kMostKindPairs = 36;

/// The box of a periodic structure; coordinates are then fractions of its edges.
struct DeviceBox {
  bool periodic = false;
  float rows[9] = {};  ///< of the lattice, angstrom
};

/// Arguments of the histogram kernels. Results are added to what is there.
struct HistogramArguments {
  const float4* atoms;    ///< sorted by kind
  const float4* spheres;  ///< around each chunk of each kind, with its radius; null: no unit is skipped
  KindPair pairs[kMostKindPairs];
  std::uint32_t sphereFirst[kMostKindPairs][2];  ///< where the spheres of the two kinds begin
  int pairCount;
  std::uint64_t groups;  ///< of all kinds of pairs
  int part, parts;       ///< which groups are to be done
  int bins;
  float scale;     ///< places in one angstrom: 2^kDevicePlaceBits/width
  float range;     ///< angstrom
  bool everyPair;  ///< no pair is beyond the range
  DeviceBox box;
  unsigned long long* nextGroup;
  unsigned long long* counts;   ///< [pair][bin]
  unsigned long long* places;   ///< [pair][bin]: sum of places in the bin
  unsigned long long* inRange;  ///< pairs that were sorted in
};

/// Fine histogram, private to each block, in shared memory. `blocks`: one for each multiprocessor. `slices`:
/// how often within a unit full words are emptied, a power of 2 up to kChunk.
void launchSharedHistogram(const HistogramArguments& arguments, int blocks, int slices, cudaStream_t stream);
/// The simple kernel: a thread for an atom i, all j, an atomic addition in global memory for each pair.
void launchGlobalHistogram(const HistogramArguments& arguments, cudaStream_t stream);

/// A position, as the direct sums read it, angstrom.
struct alignas(16) Point {
  double x, y, z, unused;
};

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

/// Adds sums of sin(qr)/r of one kind of pairs to sums[kCount], and the number of pairs closer than 1e-6
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

// Histograms of pair distances.
//
// A block has one multiprocessor for itself: 1024 threads and a histogram that fills the shared memory. Its
// 32 warps take a group of 32 units; a warp's lanes hold four atoms i each and go through 128 atoms j, which
// all lanes read from one address. Nothing waits for anything inside a unit. A pair costs 14 instructions and
// one shared atomic addition: predicted, with 128 lanes a clock, 9 pairs a clock and multiprocessor for the
// arithmetic and about 4 for the atomics (32 random addresses hit one of 32 banks 3.5 times), that is 1e12
// pairs a second on an H200.
//
// In a box the fractions of edges are whole numbers of 2^-32, whose differences are those of the nearest
// image by themselves; a shift makes them floats in [1, 2). An image costs 32 instructions with the addition
// where the box has right angles, 38 elsewhere: predicted are 4 and 3.4 pairs a clock, measured 2.9 and 2.5,
// as if no addition were hidden behind the arithmetic. Square roots are those of the hardware, as places near
// the end of a bin are looked at again in double precision.
//
// A word of the histogram holds the number of its pairs in 12 bits and the sum of their places in the bin (7
// bits each) in the other 20. Units are done in slices of their atoms j, after each of which words with more
// than 1023 pairs are emptied into global memory. Should more than 3071 come between two of these looks, the
// number that is read afterwards is too small, whatever the carry: the sum of all numbers is then below that
// of the pairs, which the caller checks. Crystals have few distances (1,100 in a ball of 10 nm): the caller
// mixes the atoms, so that those of a slice do not meet in still fewer.
#include <cstdint>

#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/matter/pairs/kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 32 * kGroup;
constexpr int kPerLane = kChunk / 32;
constexpr unsigned kCountShift = 20, kPlaceMask = (1u << kCountShift) - 1;
constexpr unsigned kSpillAt = 1024;

/// Distance times scale as a whole number in the lower 23 bits.
__device__ __forceinline__ unsigned placeBits(float square, float scale) {
  float inverse;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(square));
  float r = square * inverse;
  // One step of Newton: the approximation is good to 22 bits.
  r = fmaf(fmaf(-r, r, square), 0.5f * inverse, r);
  return __float_as_uint(fmaf(r, scale, 8388608.0f));
}

/// Squared distance, never quite 0.
__device__ __forceinline__ float squareOf(float dx, float dy, float dz) {
  return fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, 1e-30f)));
}

__device__ __forceinline__ void sortIn(unsigned bits, unsigned* histogram) {
  const unsigned bin = (bits >> kDevicePlaceBits) & 0xffffu;
  atomicAdd(histogram + bin, (bits & ((1u << kDevicePlaceBits) - 1)) | (1u << kCountShift));
}

enum class Box { None, Square, Oblique };

/// The difference of two fractions of an edge, which are whole numbers of 2^-32, is that of the nearest image
/// by itself. With this added a shift rounds it to 2^-23.
constexpr unsigned kHalfEdge = (1u << 31) + (1u << 8);

/// 1.5 and the difference of two fractions, in [1, 2); `mine` has kHalfEdge added.
__device__ __forceinline__ float differenceOf(unsigned mine, unsigned other) {
  return __uint_as_float(__funnelshift_r(mine - other, 0x7f, 9));
}

/// What an image adds to differences, angstrom.
template <Box kBox>
__device__ __forceinline__ float3 shiftOf(const DeviceBox& box, const float4& n) {
  const float* l = box.rows;
  if (kBox == Box::Square) return make_float3((n.x - 1.5f) * l[0], (n.y - 1.5f) * l[4], (n.z - 1.5f) * l[8]);
  return make_float3(fmaf(n.x, l[0], fmaf(n.y, l[3], n.z * l[6])), fmaf(n.y, l[4], n.z * l[7]), n.z * l[8]);
}

/// Squared distance of an image; rows of the box are a lower triangle, of a square one its diagonal.
template <Box kBox>
__device__ __forceinline__ float imageSquare(const uint3& mine, const uint4& other, const float3& shift,
                                             const float* l) {
  float x = differenceOf(mine.x, other.x), y = differenceOf(mine.y, other.y),
        z = differenceOf(mine.z, other.z);
  if (kBox == Box::Square) {
    x = fmaf(x, l[0], shift.x);
    y = fmaf(y, l[4], shift.y);
    z = fmaf(z, l[8], shift.z);
  } else {
    x -= 1.5f, y -= 1.5f, z -= 1.5f;
    x = fmaf(x, l[0], fmaf(y, l[3], fmaf(z, l[6], shift.x)));
    y = fmaf(y, l[4], fmaf(z, l[7], shift.y));
    z = fmaf(z, l[8], shift.z);
  }
  return fmaf(z, z, fmaf(y, y, x * x));
}

/// Distance times scale as a whole number in the lower 23 bits, if it is below 2^23; else larger bits.
__device__ __forceinline__ unsigned imageBits(float square, float scale) {
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(square));
  return __float_as_uint(fmaf(r, scale, 8388608.0f));
}

/// Bits of a place that may be within the range.
__device__ __forceinline__ unsigned endOfBits(const HistogramArguments& a) {
  return 0x4b000000u + (static_cast<unsigned>(a.bins) << kDevicePlaceBits) + a.edge;
}

/// Which places may be on the wrong side of the end of a bin, of those that were asked for.
struct NearEnd {
  unsigned factor, offset, window;
  __device__ __forceinline__ explicit NearEnd(const HistogramArguments& a)
      : factor(a.edgeFactor), offset(a.edgeOffset), window(a.edgeWindow) {}
  __device__ __forceinline__ bool has(unsigned bits) const { return bits * factor + offset <= window; }
};

/// 2^-32 edges and whole ones between an image in double precision and what single precision has found:
/// the same image, also where two are equally far.
__device__ __forceinline__ double exactDifference(double p, double o, unsigned mine, unsigned other,
                                                  float n) {
  const double d = p - o;
  return d + rint(differenceOf(mine + kHalfEdge, other) - 1.5 + static_cast<double>(n) - d);
}

/// The place of an image from its distance in double precision.
__device__ unsigned exactPlace(const HistogramArguments& a, std::uint32_t i, std::uint32_t j, int image,
                               unsigned place) {
  const Point p = a.exact[i], o = a.exact[j];
  const uint4 u = a.fractions[i], v = a.fractions[j];
  const float4 n = a.images[image];
  const double fx = exactDifference(p.x, o.x, u.x, v.x, n.x), fy = exactDifference(p.y, o.y, u.y, v.y, n.y),
               fz = exactDifference(p.z, o.z, u.z, v.z, n.z);
  const double* l = a.box.exactRows;
  const double dx = fx * l[0] + fy * l[3] + fz * l[6], dy = fx * l[1] + fy * l[4] + fz * l[7],
               dz = fx * l[2] + fy * l[5] + fz * l[8];
  const double square = dx * dx + dy * dy + dz * dz;
  if (2 * a.edge <= a.binPlaces) {
    const unsigned bin = (place + a.binPlaces / 2) >> a.binShift, end = bin * a.binPlaces;
    const double distance = bin * a.width;
    return square >= distance * distance ? max(place, end) : min(place, end - 1);
  }
  // Bins are hardly wider than the error.
  const double exact = sqrt(square) / a.width, bin = floor(exact);
  return static_cast<unsigned>(bin) * a.binPlaces +
         min(a.binPlaces - 1, static_cast<unsigned>((exact - bin) * a.binPlaces));
}

/// Sorts in an image that is near the end of a bin; 1 if it is within the range.
template <class Sort>
__device__ __forceinline__ unsigned addNearEnd(const HistogramArguments& a, std::uint32_t i, std::uint32_t j,
                                               int image, unsigned bits, const Sort& sort) {
  const unsigned place = exactPlace(a, i, j, image, bits & 0x7fffffu);
  if (place >= static_cast<unsigned>(a.bins) << kDevicePlaceBits) return 0;
  sort(place);
  return 1;
}

/// Number of the pairs that a group belongs to.
__device__ int pairOfGroup(const HistogramArguments& a, unsigned long long group) {
  int low = 0, high = a.pairCount;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (a.pairs[middle].firstGroup <= group ? low : high) = middle;
  }
  return low;
}

__device__ ChunkPair unitOf(const KindPair& pair, std::uint64_t unit) {
  return pair.triangle ? triangleUnit(unit) : rectangleUnit(unit, pair.columns);
}

/// The distance of an interval from 0.
__device__ __forceinline__ float gapOf(float low, float high) { return fmaxf(0.0f, fmaxf(low, -high)); }

/// The least distance, in edges, along an edge of the box between places of two chunks whose centres are
/// `apart` and at most `half` more or less, of image n: differences are those of the nearest image, -1/2 to
/// 1/2, and n.
__device__ float imageGap(float apart, float half, float n) {
  apart -= rintf(apart);
  const float low = fabsf(apart) - half, high = fabsf(apart) + half, shift = apart < 0 ? -n : n;
  const float here = gapOf(fmaxf(low, -0.5f) + shift, fminf(high, 0.5f) + shift);
  return high > 0.5f ? fminf(here, gapOf(shift - 0.5f, high - 1 + shift)) : here;
}

/// Whether two chunks are too far apart for any pair within the range, or any of this image: the distance
/// between faces of the box is a lower bound.
template <Box kBox>
__device__ bool tooFar(const HistogramArguments& a, const KindPair& pair, ChunkPair c, int image = 0) {
  if (!a.boxes) return false;
  const ChunkBox s = a.boxes[pair.boxA + c.row], t = a.boxes[pair.boxB + c.column];
  float n[3] = {0, 0, 0};
  if (kBox != Box::None) n[0] = a.images[image].x, n[1] = a.images[image].y, n[2] = a.images[image].z;
  float largest = 0, square = 0;
  for (int k = 0; k < 3; ++k) {
    const float apart = s.centre[k] - t.centre[k], half = s.half[k] + t.half[k];
    const float gap = kBox == Box::None ? gapOf(apart - half, apart + half)
                                        : imageGap(apart, half + 1e-6f, n[k]) * a.box.widths[k];
    largest = fmaxf(largest, gap);
    square = fmaf(gap, gap, square);
  }
  return kBox == Box::Oblique ? largest > a.reach : square > a.reach * a.reach;
}

/// All pairs of a full chunk and a slice of another without any condition.
__device__ void fullUnit(const float4* atoms, std::uint32_t firstI, std::uint32_t firstJ, int count,
                         float scale, unsigned* histogram) {
  const unsigned lane = threadIdx.x % 32;
  float4 mine[kPerLane];
#pragma unroll
  for (int k = 0; k < kPerLane; ++k) mine[k] = __ldg(atoms + firstI + lane + 32 * k);
#pragma unroll 2
  for (int j = 0; j < count; ++j) {
    const float4 other = __ldg(atoms + firstJ + j);
#pragma unroll
    for (int k = 0; k < kPerLane; ++k) {
      const float square = squareOf(mine[k].x - other.x, mine[k].y - other.y, mine[k].z - other.z);
      sortIn(placeBits(square, scale), histogram);
    }
  }
}

/// Any unit: parts of chunks, the diagonal of a triangle, pairs beyond the range. Returns the pairs of this
/// thread.
__device__ unsigned anyUnit(const HistogramArguments& a, const KindPair& pair, ChunkPair c, int start,
                            int count, unsigned* histogram) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t firstI = pair.firstA + c.row * kChunk;
  const std::uint32_t firstJ = pair.firstB + c.column * kChunk + start, endJ = min(firstJ + count, pair.endB);
  const bool diagonal = pair.triangle && c.row == c.column;
  const unsigned limit = static_cast<unsigned>(a.bins) << kDevicePlaceBits;
  float4 mine[kPerLane];
  std::uint32_t number[kPerLane];
#pragma unroll
  for (int k = 0; k < kPerLane; ++k) {
    number[k] = firstI + lane + 32 * k;
    mine[k] = number[k] < pair.endA ? __ldg(a.atoms + number[k]) : make_float4(0, 0, 0, 0);
    if (number[k] >= pair.endA) number[k] = 0xffffffffu;
  }
  unsigned done = 0;
  for (std::uint32_t j = firstJ; j < endJ; ++j) {
    const float4 other = __ldg(a.atoms + j);
#pragma unroll
    for (int k = 0; k < kPerLane; ++k) {
      if (number[k] == 0xffffffffu || (diagonal && j >= number[k])) continue;
      const float square = squareOf(mine[k].x - other.x, mine[k].y - other.y, mine[k].z - other.z);
      if (!(square < a.range * a.range * 1.00001f)) continue;
      const unsigned bits = placeBits(square, a.scale);
      if ((bits & 0x7fffffu) >= limit) continue;
      sortIn(bits, histogram);
      ++done;
    }
  }
  return done;
}

/// One image of the pairs of a unit in a box, without a branch but for places near the end of a bin. kFull:
/// all atoms of both chunks are there, and no pair is twice.
template <Box kBox, bool kFull>
__device__ unsigned imageUnit(const HistogramArguments& a, const KindPair& pair, ChunkPair c, int start,
                              int count, int image, unsigned* histogram) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t firstI = pair.firstA + c.row * kChunk + lane;
  const std::uint32_t firstJ = pair.firstB + c.column * kChunk + start, endJ = min(firstJ + count, pair.endB);
  // An atom i has those j below; without kFull none where i is not there.
  const bool diagonal = pair.triangle && c.row == c.column;
  const float3 shift = shiftOf<kBox>(a.box, a.images[image]);
  const unsigned end = endOfBits(a);
  const NearEnd nearEnd(a);
  uint3 mine[kPerLane];
  std::uint32_t before[kPerLane];
#pragma unroll
  for (int k = 0; k < kPerLane; ++k) {
    const std::uint32_t i = firstI + 32 * k;
    const bool there = kFull || i < pair.endA;
    const uint4 u = there ? __ldg(a.fractions + i) : make_uint4(0, 0, 0, 0);
    mine[k] = make_uint3(u.x + kHalfEdge, u.y + kHalfEdge, u.z + kHalfEdge);
    before[k] = !there ? 0 : diagonal ? i : 0xffffffffu;
  }
  unsigned done = 0;
  for (std::uint32_t j = firstJ; j < endJ; ++j) {
    const uint4 other = __ldg(a.fractions + j);
    unsigned bits[kPerLane], again = 0;
#pragma unroll
    for (int k = 0; k < kPerLane; ++k) {
      bits[k] = imageBits(imageSquare<kBox>(mine[k], other, shift, a.box.rows), a.scale);
      const bool near = nearEnd.has(bits[k]), wanted = bits[k] < end && (kFull || j < before[k]);
      if (wanted && near) again |= 1u << k;
      if (wanted && !near) {
        sortIn(bits[k], histogram);
        ++done;
      }
    }
    // Lanes take their own next k together: with many bins nearly every k has a lane that looks again.
#pragma unroll 1
    for (; again != 0; again &= again - 1) {
      const int k = __ffs(static_cast<int>(again)) - 1;
      const unsigned found = k == 0 ? bits[0] : k == 1 ? bits[1] : k == 2 ? bits[2] : bits[3];
      done +=
          addNearEnd(a, firstI + 32 * k, j, image, found, [&](unsigned place) { sortIn(place, histogram); });
    }
  }
  return done;
}

/// Empties words with at least `least` pairs into global memory.
__device__ void spill(unsigned* histogram, int bins, unsigned least, unsigned long long* counts,
                      unsigned long long* places) {
  for (int k = threadIdx.x; k < bins; k += kThreads) {
    const unsigned word = histogram[k];
    const unsigned count = word >> kCountShift;
    if (count < least) continue;
    atomicAdd(counts + k, static_cast<unsigned long long>(count));
    atomicAdd(places + k, static_cast<unsigned long long>(word & kPlaceMask));
    histogram[k] = 0;
  }
}

/// What a warp does of its unit: atoms j from `start`.
template <Box kBox>
__device__ unsigned sliceOf(const HistogramArguments& a, const KindPair& pair, ChunkPair c, int start,
                            int count, unsigned* histogram) {
  const std::uint32_t firstI = pair.firstA + c.row * kChunk, firstJ = pair.firstB + c.column * kChunk;
  const bool full =
      firstI + kChunk <= pair.endA && firstJ + kChunk <= pair.endB && !(pair.triangle && c.row == c.column);
  if (kBox == Box::None) {
    if (!full || !a.everyPair) return anyUnit(a, pair, c, start, count, histogram);
    fullUnit(a.atoms, firstI, firstJ + start, count, a.scale, histogram);
    return count * kPerLane;
  }
  unsigned done = 0;
  for (int image = 0; image < a.imageCount; ++image) {
    if (tooFar<kBox>(a, pair, c, image)) continue;
    done += full ? imageUnit<kBox, true>(a, pair, c, start, count, image, histogram)
                 : imageUnit<kBox, false>(a, pair, c, start, count, image, histogram);
  }
  return done;
}

template <Box kBox>
__global__ void __launch_bounds__(kThreads, 1)
    sharedHistogram(const __grid_constant__ HistogramArguments a, int slices) {
  extern __shared__ unsigned histogram[];
  __shared__ unsigned long long group;
  const unsigned warp = threadIdx.x / 32;
  for (int k = threadIdx.x; k < a.bins; k += kThreads) histogram[k] = 0;
  int current = -1;  // whose histogram it is
  unsigned long long total = 0;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) group = atomicAdd(a.nextGroup, 1ull) * a.parts + a.part;
    __syncthreads();
    const bool more = group < a.groups;
    const int p = more ? pairOfGroup(a, group) : -1;
    const int result = more ? a.pairs[p].result : -1;
    if (result != current && current >= 0) {
      const std::size_t at = static_cast<std::size_t>(current) * a.bins;
      spill(histogram, a.bins, 1, a.counts + at, a.places + at);
      __syncthreads();
    }
    if (!more) break;
    current = result;
    const KindPair& pair = a.pairs[p];
    const std::uint64_t unit = (group - pair.firstGroup) * kGroup + warp;
    bool wanted = unit < pair.units;
    const ChunkPair c = wanted ? unitOf(pair, unit) : ChunkPair{0, 0};
    if (kBox == Box::None) wanted = wanted && !tooFar<kBox>(a, pair, c);
    const int count = kChunk / slices;
    const std::size_t at = static_cast<std::size_t>(result) * a.bins;
    for (int slice = 0; slice < slices; ++slice) {
      const unsigned done = wanted ? sliceOf<kBox>(a, pair, c, slice * count, count, histogram) : 0;
      total += done;
      if (__syncthreads_or(done != 0)) spill(histogram, a.bins, kSpillAt, a.counts + at, a.places + at);
      __syncthreads();
    }
  }
  if (total) atomicAdd(a.inRange, total);
}

/// Blocks over i, threads over i too; an addition in global memory for each pair: slow, but without race.
template <Box kBox>
__global__ void globalHistogram(const __grid_constant__ HistogramArguments a, int p) {
  const KindPair pair = a.pairs[p];
  const std::uint32_t i = pair.firstA + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pair.endA) return;
  const unsigned limit = static_cast<unsigned>(a.bins) << kDevicePlaceBits;
  unsigned long long done = 0;
  const auto sort = [&](unsigned place) {
    const std::size_t at = static_cast<std::size_t>(pair.result) * a.bins + (place >> kDevicePlaceBits);
    atomicAdd(a.counts + at, 1ull);
    atomicAdd(a.places + at, static_cast<unsigned long long>(place & ((1u << kDevicePlaceBits) - 1)));
  };
  const std::uint32_t endJ = pair.triangle ? i : pair.endB;
  for (std::uint32_t j = pair.firstB + blockIdx.y; j < endJ; j += gridDim.y) {
    if (a.parts > 1 &&
        static_cast<int>(groupOf(pair, (i - pair.firstA) / kChunk, (j - pair.firstB) / kChunk) % a.parts) !=
            a.part)
      continue;
    if (kBox == Box::None) {
      const float4 mine = a.atoms[i], other = a.atoms[j];
      const float square = squareOf(mine.x - other.x, mine.y - other.y, mine.z - other.z);
      if (!(square < a.range * a.range * 1.00001f)) continue;
      const unsigned place = placeBits(square, a.scale) & 0x7fffffu;
      if (place >= limit) continue;
      sort(place);
      ++done;
      continue;
    }
    const uint4 u = a.fractions[i], other = a.fractions[j];
    const uint3 mine = make_uint3(u.x + kHalfEdge, u.y + kHalfEdge, u.z + kHalfEdge);
    for (int image = 0; image < a.imageCount; ++image) {
      const float3 shift = shiftOf<kBox>(a.box, a.images[image]);
      const unsigned bits = imageBits(imageSquare<kBox>(mine, other, shift, a.box.rows), a.scale);
      if (bits >= endOfBits(a)) continue;
      if (NearEnd(a).has(bits)) {
        done += addNearEnd(a, i, j, image, bits, sort);
      } else {
        sort(bits & 0x7fffffu);
        ++done;
      }
    }
  }
  if (done) atomicAdd(a.inRange, done);
}

/// That of the kernels for a box.
template <class Kernel>
Kernel* ofBox(const DeviceBox& box, Kernel* none, Kernel* square, Kernel* oblique) {
  return !box.periodic ? none : box.square ? square : oblique;
}

}  // namespace

void launchSharedHistogram(const HistogramArguments& arguments, int blocks, int slices, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(arguments.bins) * sizeof(unsigned);
  const auto kernel = ofBox(arguments.box, sharedHistogram<Box::None>, sharedHistogram<Box::Square>,
                            sharedHistogram<Box::Oblique>);
  batch::allowSharedMemory(kernel, static_cast<int>(bytes));
  kernel<<<blocks, kThreads, bytes, stream>>>(arguments, slices);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchGlobalHistogram(const HistogramArguments& arguments, const std::vector<KindPair>& pairs,
                           cudaStream_t stream) {
  const auto kernel = ofBox(arguments.box, globalHistogram<Box::None>, globalHistogram<Box::Square>,
                            globalHistogram<Box::Oblique>);
  for (int p = 0; p < arguments.pairCount; ++p) {
    const KindPair& pair = pairs[static_cast<std::size_t>(p)];
    const std::uint32_t rows = pair.endA - pair.firstA;
    if (rows == 0 || pair.endB == pair.firstB) continue;
    kernel<<<dim3((rows + 127) / 128, 16), 128, 0, stream>>>(arguments, p);
    PROPHET_CUDA_CHECK_LAUNCH();
  }
}

}  // namespace prophet::cuda

// Histograms of pair distances.
//
// A block has one multiprocessor for itself: 1024 threads and a histogram that fills the shared memory. Its
// 32 warps take a group of 32 units; a warp's lanes hold four atoms i each and go through 128 atoms j, which
// all lanes read from one address. Nothing waits for anything inside a unit. A pair costs 14 instructions and
// one shared atomic addition: predicted, with 128 lanes a clock, 9 pairs a clock and multiprocessor for the
// arithmetic and about 4 for the atomics (32 random addresses hit one of 32 banks 3.5 times), that is 1e12
// pairs a second on an H200.
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

/// Of fractions of the box.
__device__ __forceinline__ float imageSquare(float fx, float fy, float fz, const DeviceBox& box) {
  const float dx = fmaf(fx, box.rows[0], fmaf(fy, box.rows[3], fz * box.rows[6]));
  const float dy = fmaf(fx, box.rows[1], fmaf(fy, box.rows[4], fz * box.rows[7]));
  const float dz = fmaf(fx, box.rows[2], fmaf(fy, box.rows[5], fz * box.rows[8]));
  return squareOf(dx, dy, dz);
}

__device__ __forceinline__ void sortIn(unsigned bits, unsigned* histogram) {
  const unsigned bin = (bits >> kDevicePlaceBits) & 0xffffu;
  atomicAdd(histogram + bin, (bits & ((1u << kDevicePlaceBits) - 1)) | (1u << kCountShift));
}

/// Squared distance of an image in double precision; n: what its difference of fractions needs besides.
__device__ __forceinline__ double exactSquare(const HistogramArguments& a, std::uint32_t i, std::uint32_t j,
                                              double nx, double ny, double nz) {
  const Point p = a.exact[i], o = a.exact[j];
  const double fx = p.x - o.x + nx, fy = p.y - o.y + ny, fz = p.z - o.z + nz;
  const double* l = a.box.exactRows;
  const double dx = fx * l[0] + fy * l[3] + fz * l[6], dy = fx * l[1] + fy * l[4] + fz * l[7],
               dz = fx * l[2] + fy * l[5] + fz * l[8];
  return dx * dx + dy * dy + dz * dz;
}

/// A place that may be on the wrong side of the end of a bin, of those that were asked for, put on the right
/// one; where bins are hardly wider than the error the place anew.
__device__ __forceinline__ unsigned rightPlace(const HistogramArguments& a, unsigned place, double square) {
  if (2 * a.edge <= a.binPlaces) {
    const unsigned bin = (place + a.binPlaces / 2) >> a.binShift, end = bin * a.binPlaces;
    const double distance = bin * a.width;
    return square >= distance * distance ? max(place, end) : min(place, end - 1);
  }
  const double exact = sqrt(square) / a.width, bin = floor(exact);
  return static_cast<unsigned>(bin) * a.binPlaces +
         min(a.binPlaces - 1, static_cast<unsigned>((exact - bin) * a.binPlaces));
}

/// Sorts in the images of a pair of atoms within the range; their number. `sort` gets their places.
template <class Sort>
__device__ __forceinline__ unsigned addImages(const HistogramArguments& a, std::uint32_t i, std::uint32_t j,
                                              const float4& p, const float4& o, const Sort& sort) {
  const float dx = p.x - o.x, dy = p.y - o.y, dz = p.z - o.z;
  const float nx = -rintf(dx), ny = -rintf(dy), nz = -rintf(dz);
  const unsigned limit = static_cast<unsigned>(a.bins) << kDevicePlaceBits;
  const auto add = [&](float ix, float iy, float iz) {
    const float square = imageSquare((dx + nx) + ix, (dy + ny) + iy, (dz + nz) + iz, a.box);
    if (!(square < a.reachSquare)) return 0u;
    unsigned place = placeBits(fminf(square, a.placeSquare), a.scale) & 0x7fffffu;
    const unsigned inBin = place & (a.binPlaces - 1);
    if (inBin < a.edge || inBin + a.edge >= a.binPlaces)
      place = rightPlace(a, place, exactSquare(a, i, j, nx + ix, ny + iy, nz + iz));
    if (place >= limit) return 0u;
    sort(place);
    return 1u;
  };
  unsigned done = add(0, 0, 0);
  for (int t = 1; t < a.imageCount; ++t) {
    const float4 image = __ldg(a.images + t);
    done += add(image.x, image.y, image.z);
  }
  return done;
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

/// Whether two chunks are too far apart for any pair within the range, whatever the image: along each edge
/// an image of one is nearest the other, and the distance between faces of the box is a lower bound.
__device__ bool tooFar(const HistogramArguments& a, const KindPair& pair, ChunkPair c) {
  if (!a.boxes) return false;
  const ChunkBox s = a.boxes[pair.boxA + c.row], t = a.boxes[pair.boxB + c.column];
  float largest = 0, square = 0;
  for (int k = 0; k < 3; ++k) {
    float apart = s.centre[k] - t.centre[k];
    if (a.box.periodic) apart -= rintf(apart);
    const float gap = fmaxf(0.0f, fabsf(apart) - s.half[k] - t.half[k]) * a.box.widths[k];
    largest = fmaxf(largest, gap);
    square = fmaf(gap, gap, square);
  }
  return a.box.square ? square > a.reach * a.reach : largest > a.reach;
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

/// Any unit: parts of chunks, the diagonal of a triangle, pairs beyond the range, images. Returns the pairs
/// of this thread.
template <bool kPeriodic>
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
      if (kPeriodic) {
        done += addImages(a, number[k], j, mine[k], other, [&](unsigned place) { sortIn(place, histogram); });
        continue;
      }
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
__device__ unsigned sliceOf(const HistogramArguments& a, const KindPair& pair, ChunkPair c, int start,
                            int count, unsigned* histogram) {
  const std::uint32_t firstI = pair.firstA + c.row * kChunk, firstJ = pair.firstB + c.column * kChunk;
  const bool full =
      firstI + kChunk <= pair.endA && firstJ + kChunk <= pair.endB && !(pair.triangle && c.row == c.column);
  if (a.box.periodic) return anyUnit<true>(a, pair, c, start, count, histogram);
  if (!full || !a.everyPair) return anyUnit<false>(a, pair, c, start, count, histogram);
  fullUnit(a.atoms, firstI, firstJ + start, count, a.scale, histogram);
  return count * kPerLane;
}

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
    wanted = wanted && !tooFar(a, pair, c);
    const int count = kChunk / slices;
    const std::size_t at = static_cast<std::size_t>(result) * a.bins;
    for (int slice = 0; slice < slices; ++slice) {
      const unsigned done = wanted ? sliceOf(a, pair, c, slice * count, count, histogram) : 0;
      total += done;
      if (__syncthreads_or(done != 0)) spill(histogram, a.bins, kSpillAt, a.counts + at, a.places + at);
      __syncthreads();
    }
  }
  if (total) atomicAdd(a.inRange, total);
}

/// Blocks over i, threads over i too; an addition in global memory for each pair: slow, but without race.
__global__ void globalHistogram(const __grid_constant__ HistogramArguments a, int p) {
  const KindPair pair = a.pairs[p];
  const std::uint32_t i = pair.firstA + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pair.endA) return;
  const float4 mine = a.atoms[i];
  const unsigned limit = static_cast<unsigned>(a.bins) << kDevicePlaceBits;
  unsigned long long done = 0;
  const std::uint32_t endJ = pair.triangle ? i : pair.endB;
  for (std::uint32_t j = pair.firstB + blockIdx.y; j < endJ; j += gridDim.y) {
    if (a.parts > 1 &&
        static_cast<int>(groupOf(pair, (i - pair.firstA) / kChunk, (j - pair.firstB) / kChunk) % a.parts) !=
            a.part)
      continue;
    const float4 other = a.atoms[j];
    const auto sort = [&](unsigned place) {
      const std::size_t at = static_cast<std::size_t>(pair.result) * a.bins + (place >> kDevicePlaceBits);
      atomicAdd(a.counts + at, 1ull);
      atomicAdd(a.places + at, static_cast<unsigned long long>(place & ((1u << kDevicePlaceBits) - 1)));
    };
    if (a.box.periodic) {
      done += addImages(a, i, j, mine, other, sort);
      continue;
    }
    const float square = squareOf(mine.x - other.x, mine.y - other.y, mine.z - other.z);
    if (!(square < a.range * a.range * 1.00001f)) continue;
    const unsigned place = placeBits(square, a.scale) & 0x7fffffu;
    if (place >= limit) continue;
    sort(place);
    ++done;
  }
  if (done) atomicAdd(a.inRange, done);
}

}  // namespace

void launchSharedHistogram(const HistogramArguments& arguments, int blocks, int slices, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(arguments.bins) * sizeof(unsigned);
  batch::allowSharedMemory(sharedHistogram, static_cast<int>(bytes));
  sharedHistogram<<<blocks, kThreads, bytes, stream>>>(arguments, slices);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchGlobalHistogram(const HistogramArguments& arguments, const std::vector<KindPair>& pairs,
                           cudaStream_t stream) {
  for (int p = 0; p < arguments.pairCount; ++p) {
    const KindPair& pair = pairs[static_cast<std::size_t>(p)];
    const std::uint32_t rows = pair.endA - pair.firstA;
    if (rows == 0 || pair.endB == pair.firstB) continue;
    globalHistogram<<<dim3((rows + 127) / 128, 16), 128, 0, stream>>>(arguments, p);
    PROPHET_CUDA_CHECK_LAUNCH();
  }
}

}  // namespace prophet::cuda

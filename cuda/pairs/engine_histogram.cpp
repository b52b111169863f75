#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/stopwatch.hpp"
#include "common/thread_pool.hpp"
#include "cuda/common/handles.hpp"
#include "cuda/pairs/cuda_pair_engine.hpp"
#include "cuda/pairs/device_atoms.hpp"

namespace prophet::cuda {
namespace {

/// How often a unit's pairs are interrupted to empty full words: as a rule, and where words have overflowed.
constexpr int kSlices = 2, kManySlices = 32;

/// Bins are made finer by a whole number, so that they fill the shared memory.
struct FineBins {
  int factor = 1, bins = 0;
  bool shared = true;
};

/// Bins that fit into the shared memory of a block.
int sharedBins(int device) {
  int bytes = 0;
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return std::min(kMostSharedBins, (bytes - 1024) / 4);
}

FineBins fineBins(const HistogramRequest& request, int device, HistogramKernel kernel) {
  const int room = sharedBins(device);
  FineBins fine;
  fine.factor = std::max(1, room / request.bins);
  fine.bins = fine.factor * request.bins;
  fine.shared = kernel == HistogramKernel::Shared && fine.bins <= room;
  if (fine.bins > 65535)
    throw Error(
        fmt::format("a histogram on the GPU has at most 65535 bins, not {}; take wider bins or --backend cpu",
                    fine.bins));
  return fine;
}

struct Counts {
  std::vector<unsigned long long> counts, places;
  unsigned long long inRange = 0;
  double kernelSeconds = 0;
};

/// Places in one angstrom, as the kernels have it.
float scaleOf(const HistogramRequest& request, const FineBins& fine) {
  return static_cast<float>((1 << kDevicePlaceBits) * fine.factor / request.width);
}

Counts countOn(int device, const AtomTable& table, const HistogramRequest& request, const FineBins& fine,
               int part, int parts, int slices) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device));
  const Stream stream;
  std::uint64_t groups = 0;
  const auto pairs = kindPairs(table.first, groups);
  const DeviceBuffer<float4> atoms(table.atoms), spheres(table.spheres);
  const std::size_t size = pairs.size() * static_cast<std::size_t>(fine.bins);
  DeviceBuffer<unsigned long long> counts(size), places(size), counters(2);
  counts.fill(0, stream.get());
  places.fill(0, stream.get());
  counters.fill(0, stream.get());
  HistogramArguments a{};
  a.atoms = atoms.data();
  a.spheres = table.spheres.empty() ? nullptr : spheres.data();
  std::copy(pairs.begin(), pairs.end(), a.pairs);
  const std::size_t kinds = table.first.size() - 1;
  for (std::size_t i = 0, p = 0; i < kinds; ++i) {
    for (std::size_t j = i; j < kinds; ++j, ++p) {
      if (table.sphereFirst.empty()) continue;
      a.sphereFirst[p][0] = table.sphereFirst[i];
      a.sphereFirst[p][1] = table.sphereFirst[j];
    }
  }
  a.pairCount = static_cast<int>(pairs.size());
  a.groups = groups;
  a.part = part;
  a.parts = parts;
  a.bins = fine.bins;
  a.scale = scaleOf(request, fine);
  a.range = static_cast<float>(request.range());
  a.everyPair = table.everyPair;
  a.box = table.box;
  a.nextGroup = counters.data();
  a.inRange = counters.data() + 1;
  a.counts = counts.data();
  a.places = places.data();
  int processors = 0;
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const Event begin, end;
  begin.record(stream.get());
  if (fine.shared) {
    launchSharedHistogram(a, processors, slices, stream.get());
  } else {
    launchGlobalHistogram(a, stream.get());
  }
  end.record(stream.get());
  Counts out;
  out.counts = counts.download(stream.get());
  out.places = places.download(stream.get());
  out.inRange = counters.download(stream.get())[1];
  out.kernelSeconds = end.secondsSince(begin);
  return out;
}

bool complete(const Counts& c) {
  unsigned long long sum = 0;
  for (const auto count : c.counts) sum += count;
  return sum == c.inRange;
}

/// The device's part; again, more carefully, should a word have overflowed.
Counts safeCountOn(int device, const AtomTable& table, const HistogramRequest& request, FineBins fine,
                   int part, int parts) {
  for (const int slices : {kSlices, kManySlices}) {
    const Counts counted = countOn(device, table, request, fine, part, parts, slices);
    if (complete(counted)) return counted;
  }
  fine.shared = false;
  const Counts counted = countOn(device, table, request, fine, part, parts, kSlices);
  if (!complete(counted)) throw Error("the GPU has lost pairs of the histogram; please report this");
  return counted;
}

void addCounts(const Counts& c, const HistogramRequest& request, const FineBins& fine, PairHistogram& h) {
  // A bin of the kernels, in bins of the result: 1 over the factor, but for the rounding of their scale.
  const double width =
      (1 << kDevicePlaceBits) / (static_cast<double>(scaleOf(request, fine)) * request.width);
  for (int p = 0; p < pairKinds(h.kinds); ++p) {
    for (int k = 0; k < fine.bins; ++k) {
      const std::size_t from =
          static_cast<std::size_t>(p) * static_cast<std::size_t>(fine.bins) + static_cast<std::size_t>(k);
      if (c.counts[from] == 0) continue;
      const std::size_t to = h.at(p, k / fine.factor);
      h.counts[to] += c.counts[from];
      const double pairs = static_cast<double>(c.counts[from]);
      h.offsets[to] += (pairs * k + static_cast<double>(c.places[from]) / (1 << kDevicePlaceBits)) * width -
                       pairs * (k / fine.factor);
    }
  }
}

/// Roundings to 24 bits, of half a unit each. Of a particle: the coordinates of two atoms, at most its radius
/// from the centre. Of a box: fractions, their difference, edges and what is made of them. Relative ones: the
/// difference, 3 of the sum of squares (half as much for the root) and the root; then that to a place.
void setErrors(const Structure& s, const HistogramRequest& request, const FineBins& fine, PairHistogram& h) {
  constexpr double kRounding = 0x1p-24;
  const double coordinates =
      s.lattice ? 4 * s.lattice->rowwise().norm().sum() : 2 * extentOf(s.positions).radius;
  h.distanceError = kRounding * coordinates + 0.5 * request.width / fine.factor / (1 << kDevicePlaceBits);
  h.relativeError = 3.5 * kRounding;
}

void requireDeviceHistogram(const Structure& s, const HistogramRequest& request) {
  if (request.doublePrecision)
    throw Error("histograms on the GPU are in single precision; use --backend cpu");
  if (pairKinds(static_cast<int>(s.kinds.size())) > kMostKindPairs)
    throw Error(
        fmt::format("the GPU takes at most 8 kinds of atoms, not {}; use --backend cpu", s.kinds.size()));
  if (s.lattice && request.range() > 0.5 * cellWidths(*s.lattice).minCoeff() * (1 + 1e-9))
    throw Error("on the GPU the range must not exceed half the box; use --backend cpu");
}

}  // namespace

int CudaPairEngine::freeBins() const { return sharedBins(devices_.front()); }

PairHistogram CudaPairEngine::histogram(const Structure& s, const HistogramRequest& request) {
  requireHistogram(request, static_cast<int>(s.kinds.size()));
  requireDeviceHistogram(s, request);
  const Stopwatch watch;
  PairHistogram h(request, static_cast<int>(s.kinds.size()));
  if (s.size() == 0) return h;
  const FineBins fine = fineBins(request, devices_.front(), kernel_);
  const AtomTable table = tableOf(s, request.range());
  const int share = static_cast<int>(devices_.size());
  std::vector<Counts> counted(devices_.size());
  forEachShare(share, share, [&](int i, int) {
    counted[static_cast<std::size_t>(i)] = safeCountOn(devices_[static_cast<std::size_t>(i)], table, request,
                                                       fine, request.part * share + i, request.parts * share);
  });
  kernelSeconds_ = 0;
  for (const Counts& c : counted) {
    addCounts(c, request, fine, h);
    h.visited += static_cast<double>(c.inRange);
    kernelSeconds_ = std::max(kernelSeconds_, c.kernelSeconds);
  }
  setErrors(s, request, fine, h);
  h.seconds = watch.seconds();
  return h;
}

}  // namespace prophet::cuda

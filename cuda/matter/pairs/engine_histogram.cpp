#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/matter/pairs/cuda_pair_engine.hpp"
#include "cuda/matter/pairs/device_atoms.hpp"

namespace prophet::cuda {
namespace {

/// How often a unit's pairs are interrupted to empty full words: as a rule, and, each time more, where words
/// have overflowed, as those of crystals do.
constexpr int kSlices = 2, kMoreSlices = 8, kManySlices = 32;

/// Bins are made finer by a power of 2, so that they fill the shared memory.
struct FineBins {
  int factor = 1, bins = 0;
  bool shared = true;
};

FineBins fineBins(const HistogramRequest& request, int room, HistogramKernel kernel) {
  FineBins fine;
  while (2 * fine.factor * static_cast<std::int64_t>(request.bins) <= room) fine.factor *= 2;
  fine.bins = fine.factor * request.bins;
  fine.shared = kernel == HistogramKernel::Shared && fine.bins <= room;
  if (fine.bins > kMostDeviceBins)
    throw DeviceError(
        fmt::format("a histogram on the GPU has at most {} bins, not {}; take wider bins or --backend cpu",
                    kMostDeviceBins, fine.bins));
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

/// What all devices of an engine share.
struct Work {
  AtomTable table;
  std::vector<KindPair> pairs;
  std::uint64_t groups = 0;
  int results = 0;
  HistogramRequest request;
  FineBins fine;
  double distanceError = 0;
};

constexpr double kRounding = 0x1p-24;

/// In a particle: the coordinates of two atoms, at most its radius from the centre. In a box, in each of the
/// coordinates to which its edges contribute: differences of fractions are rounded to 2^-23, edges and what
/// is made of half of them three times; places of images that are not the nearest are rounded seven times.
double distanceErrorOf(const Structure& s, const HistogramRequest& request, const AtomTable& table) {
  if (!s.lattice) return kRounding * 2 * extentOf(s.positions).radius;
  const Eigen::Matrix3d rows =
      Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(table.box.rows).cast<double>().cwiseAbs();
  const Eigen::Vector3d edges = cellWidths(*s.lattice).cwiseInverse() * request.range();
  const double nearest = 3.1 * rows.colwise().sum().norm();
  if (table.images.size() == 1) return kRounding * nearest;
  return kRounding * (nearest + 7 * (rows.transpose() * (edges.array() + 0.5).matrix()).norm());
}

/// A distance has that of the difference, 3 of the sum of squares (half as much for the root) and the root;
/// in a box the root of the hardware is twice as wrong. Then that to a place.
double relativeErrorOf(const AtomTable& table) { return (table.box.periodic ? 6 : 3.5) * kRounding; }

/// How near the end of a bin is to be looked at again.
void setEdges(HistogramArguments& a, const Work& work) {
  const double range = work.request.range();
  const double error = work.distanceError + relativeErrorOf(work.table) * range;
  a.reach = static_cast<float>((range + 2 * error) * (1 + 1e-6));
  a.binPlaces = static_cast<unsigned>(work.fine.factor) << kDevicePlaceBits;
  while (1u << a.binShift < a.binPlaces) ++a.binShift;
  a.edge = static_cast<unsigned>(
      std::min<double>(std::ceil(error * static_cast<double>(a.scale)) + 2, a.binPlaces));
  a.edgeFactor = 1u << (32 - a.binShift);
  a.edgeOffset = a.edge * a.edgeFactor;
  a.edgeWindow = 2 * a.edge >= a.binPlaces ? 0xffffffffu : 2 * a.edge * a.edgeFactor - 1;
  a.width = work.request.width;
}

Counts countOn(int device, const Work& work, bool shared, int part, int parts, int slices) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device));
  const Stream stream;
  const AtomTable& table = work.table;
  const FineBins& fine = work.fine;
  const DeviceBuffer<float4> atoms(table.atoms), images(table.images);
  const DeviceBuffer<uint4> fractions(table.fractions);
  const DeviceBuffer<Point> exact(table.exact);
  const DeviceBuffer<ChunkBox> boxes(table.boxes);
  const DeviceBuffer<KindPair> pairs(work.pairs);
  const std::size_t size = static_cast<std::size_t>(work.results) * static_cast<std::size_t>(fine.bins);
  DeviceBuffer<unsigned long long> counts(size), places(size), counters(2);
  counts.fill(0, stream.get());
  places.fill(0, stream.get());
  counters.fill(0, stream.get());
  HistogramArguments a{};
  a.atoms = atoms.data();
  a.fractions = fractions.data();
  a.exact = exact.data();
  a.boxes = table.boxes.empty() ? nullptr : boxes.data();
  a.pairs = pairs.data();
  a.pairCount = static_cast<int>(pairs.size());
  a.groups = work.groups;
  a.part = part;
  a.parts = parts;
  a.bins = fine.bins;
  a.scale = scaleOf(work.request, fine);
  a.range = static_cast<float>(work.request.range());
  a.everyPair = table.everyPair;
  a.box = table.box;
  a.images = images.data();
  a.imageCount = static_cast<int>(table.images.size());
  setEdges(a, work);
  a.nextGroup = counters.data();
  a.inRange = counters.data() + 1;
  a.counts = counts.data();
  a.places = places.data();
  int processors = 0;
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const Event begin, end;
  begin.record(stream.get());
  if (shared) {
    launchSharedHistogram(a, processors, slices, stream.get());
  } else {
    launchGlobalHistogram(a, work.pairs, stream.get());
  }
  end.record(stream.get());
  Counts out;
  out.counts = counts.download(stream.get());
  out.places = places.download(stream.get());
  out.inRange = counters.download(stream.get())[1];
  out.kernelSeconds = end.secondsSince(begin);
  return out;
}

constexpr const char* kLostPairs = "the GPU has lost pairs of the histogram; please report this";

bool complete(const Counts& c) {
  unsigned long long sum = 0;
  for (const auto count : c.counts) sum += count;
  return sum == c.inRange;
}

/// The device's part; again, more carefully, should a word have overflowed.
Counts safeCountOn(int device, const Work& work, int part, int parts) {
  for (const int slices : {kSlices, kMoreSlices, kManySlices}) {
    if (!work.fine.shared) break;
    const Counts counted = countOn(device, work, true, part, parts, slices);
    if (complete(counted)) return counted;
  }
  const Counts counted = countOn(device, work, false, part, parts, kSlices);
  if (!complete(counted)) throw DeviceError(kLostPairs);
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

/// Atoms and their own images, which kernels leave out: this part's.
void addOwnImages(const Structure& s, const PairShare& share, const AtomTable& table, PairHistogram& h) {
  std::vector<std::uint64_t> mine(s.kinds.size(), 0);
  for (std::size_t i = 0; i < s.size(); ++i)
    mine[static_cast<std::size_t>(s.kind[i])] += share.has(share.blockOf(i), share.blockOf(i)) ? 1 : 0;
  for (const float4& t : table.images) {
    // One of two opposite ones counts.
    if (t.x < 0 || (t.x == 0 && (t.y < 0 || (t.y == 0 && t.z <= 0)))) continue;
    const Eigen::Vector3d edges(static_cast<double>(t.x), static_cast<double>(t.y), static_cast<double>(t.z));
    const double place = (s.lattice->transpose() * edges).norm() / h.width;
    if (!(place < h.bins)) continue;
    const int bin = static_cast<int>(place);
    for (int k = 0; k < h.kinds; ++k) {
      const std::uint64_t count = mine[static_cast<std::size_t>(k)];
      const std::size_t at = h.at(pairKind(k, k, h.kinds), bin);
      h.counts[at] += count;
      h.offsets[at] += static_cast<double>(count) * (place - bin);
      h.visited += static_cast<double>(count);
    }
  }
}

}  // namespace

/// Those that fit into the shared memory of a block of every device.
int CudaPairEngine::freeBins() const {
  int room = kMostSharedBins;
  for (const int device : devices_) {
    int bytes = 0;
    PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (sharedBytes_ > 0) bytes = std::min(bytes, sharedBytes_);
    room = std::min(room, (bytes - 1024) / 4);
  }
  return room;
}

PairHistogram CudaPairEngine::histogram(const Structure& s, const HistogramRequest& request) {
  requireHistogram(request, static_cast<int>(s.kinds.size()));
  if (request.doublePrecision)
    throw DeviceError("histograms on the GPU are in single precision; use --backend cpu");
  const Stopwatch watch;
  PairHistogram h(request, static_cast<int>(s.kinds.size()));
  if (s.size() == 0) return h;
  const PairShare share(s.size(), request.part, request.parts);
  Work work;
  work.request = request;
  work.fine = fineBins(request, freeBins(), kernel_);
  work.table = tableOf(request.parts == 1 ? s : share.split(s), request.range());
  work.pairs = kindPairs(share.pairsOf(h.kinds), work.table.first, work.table.boxFirst, work.groups);
  work.results = pairKinds(h.kinds);
  work.distanceError = distanceErrorOf(s, request, work.table);
  const int devices = static_cast<int>(devices_.size());
  std::vector<Counts> counted(devices_.size());
  forEachShare(devices, devices, [&](int i, int) {
    counted[static_cast<std::size_t>(i)] =
        safeCountOn(devices_[static_cast<std::size_t>(i)], work, i, devices);
  });
  kernelSeconds_ = 0;
  for (const Counts& c : counted) {
    addCounts(c, request, work.fine, h);
    h.visited += static_cast<double>(c.inRange);
    kernelSeconds_ = std::max(kernelSeconds_, c.kernelSeconds);
  }
  if (work.table.everyPair) {
    double all = 0;
    for (const KindPair& pair : work.pairs) all += pairsIn(pair);
    if (h.visited != all) throw DeviceError(kLostPairs);
  }
  if (s.lattice) addOwnImages(s, share, work.table, h);
  // Places are rounded; those at the end of a bin are moved into it.
  const double places = s.lattice ? 1.0 : 0.5;
  h.distanceError = work.distanceError + places * request.width / work.fine.factor / (1 << kDevicePlaceBits);
  h.relativeError = relativeErrorOf(work.table);
  h.seconds = watch.seconds();
  return h;
}

}  // namespace prophet::cuda

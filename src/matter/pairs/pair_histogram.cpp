#include "matter/pairs/pair_histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "matter/pairs/cells.hpp"
#include "matter/pairs/pair_kernels.hpp"

namespace prophet {
namespace {

constexpr int kMostBins = (1 << 19) - 1;  // a bin and twelve bits of the place in it fit into 31 bits

}  // namespace

PairHistogram::PairHistogram(const HistogramRequest& request, int kindCount)
    : width(request.width), bins(request.bins), kinds(kindCount) {
  const std::size_t size = static_cast<std::size_t>(pairKinds(kinds)) * static_cast<std::size_t>(bins);
  counts.assign(size, 0);
  offsets.assign(size, 0.0);
}

double PairHistogram::total() const {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

void PairHistogram::add(const PairHistogram& other) {
  if (other.bins != bins || other.kinds != kinds || other.width != width)
    throw Error("histograms of different bins or kinds cannot be added");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] += other.counts[i];
    offsets[i] += other.offsets[i];
  }
  distanceError = std::max(distanceError, other.distanceError);
  relativeError = std::max(relativeError, other.relativeError);
  visited += other.visited;
  seconds += other.seconds;
}

void requireHistogram(const HistogramRequest& r, int kinds) {
  if (!(r.width > 0) || !std::isfinite(r.width)) throw Error("bins of pair distances need a width above 0");
  if (r.bins < 1 || r.bins > kMostBins)
    throw Error(fmt::format("a histogram has 1 to {} bins, not {}", kMostBins, r.bins));
  if (r.parts < 1 || r.part < 0 || r.part >= r.parts)
    throw Error("a share of a histogram is one of its parts");
  const double megabytes = 1e-6 * 24 * r.bins * pairKinds(kinds) * (1 + r.threads);
  if (megabytes > 16384)
    throw Error(
        fmt::format("a histogram of {} bins for {} pairs of kinds needs {:.0f} MB; take fewer bins, kinds "
                    "or threads",
                    r.bins, pairKinds(kinds), megabytes));
}

double largestDistance(const Structure& structure) {
  const Extent extent = extentOf(structure.positions);
  return std::min(2 * extent.radius, extent.size.norm());
}

double particleRange(const Structure& structure) {
  return std::max(0.1, largestDistance(structure)) * (1 + 1e-5);
}

namespace {

/// Two for each part, so that all parts have equally many pairs; of very many parts, so many that each has
/// some.
int blocksFor(int parts) {
  constexpr int kUsualMost = 32;
  const int some = 2 * static_cast<int>(std::ceil(std::sqrt(parts)));
  return parts == 1 ? 1 : std::min(2 * std::min(parts, 1 << 20), std::max(kUsualMost, some));
}

}  // namespace

PairShare::PairShare(std::size_t atoms, int part, int parts)
    : atoms_(std::max<std::size_t>(1, atoms)), part_(part), parts_(parts) {
  if (parts < 1 || part < 0 || part >= parts) throw Error("a share of the pairs is one of its parts");
  blocks_ = blocksFor(parts);
}

int PairShare::blockOf(std::size_t atom) const {
  return static_cast<int>(atom * static_cast<std::size_t>(blocks_) / atoms_);
}

bool PairShare::has(int a, int b) const {
  const int apart = std::abs(a - b);
  const int number = apart * blocks_ - apart * (apart - 1) / 2 + std::min(a, b);
  return number % parts_ == part_;
}

Structure PairShare::split(const Structure& s) const {
  Structure parted = s;
  parted.kinds.clear();
  for (const std::string& kind : s.kinds)
    parted.kinds.insert(parted.kinds.end(), static_cast<std::size_t>(blocks_), kind);
  for (std::size_t i = 0; i < s.size(); ++i) parted.kind[i] = s.kind[i] * blocks_ + blockOf(i);
  return parted;
}

std::vector<PairShare::Kinds> PairShare::pairsOf(int kinds) const {
  std::vector<Kinds> list;
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b) {
      for (int x = 0; x < blocks_; ++x) {
        for (int y = a == b ? x : 0; y < blocks_; ++y) {
          if (has(x, y)) list.push_back({a * blocks_ + x, b * blocks_ + y, pairKind(a, b, kinds), a == b});
        }
      }
    }
  }
  return list;
}

namespace {

/// Edge of a cell: of a quarter of the range, but not so small that loops over its atoms are short, nor so
/// large that too many pairs beyond the range are looked at or the second cell leaves the cache.
double cellEdge(const Structure& s, double range) {
  const double volume = s.lattice ? cellVolume(*s.lattice) : (extentOf(s.positions).size.array() + 1).prod();
  const double each = volume / static_cast<double>(std::max<std::size_t>(1, s.size()));
  const double kinds = static_cast<double>(s.kinds.size());
  return std::clamp(range / 4, std::cbrt(64 * each * kinds), std::cbrt(512 * each * kinds));
}

/// What one thread sums up.
class Worker {
 public:
  Worker(int pairKinds, int bins)
      : bins_(bins),
        packed_(static_cast<std::size_t>(pairKinds) * (static_cast<std::size_t>(bins) + 1)),
        counts_(packed_.size()),
        places_(packed_.size()) {}

  /// Makes room for `pairs` more.
  PackedBin* histogram(int pair, std::size_t pairs) {
    if (since_ + pairs > kMostPairs) flush();
    since_ += pairs;
    visited_ += static_cast<double>(pairs);
    return packed_.data() + static_cast<std::size_t>(pair) * (static_cast<std::size_t>(bins_) + 1);
  }
  void flush() {
    constexpr PackedBin mask = (PackedBin{1} << kCountShift) - 1;
    for (std::size_t i = 0; i < packed_.size(); ++i) {
      counts_[i] += packed_[i] >> kCountShift;
      places_[i] += packed_[i] & mask;
      packed_[i] = 0;
    }
    since_ = 0;
  }
  /// After flush().
  void addTo(std::vector<std::uint64_t>& counts, std::vector<std::uint64_t>& places) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      counts[i] += counts_[i];
      places[i] += places_[i];
    }
  }
  double visited() const { return visited_; }

 private:
  int bins_;
  std::vector<PackedBin> packed_;
  std::vector<std::uint64_t> counts_, places_;
  std::size_t since_ = 0;
  double visited_ = 0;
};

/// All pairs of these kinds between two cells.
template <class Real>
class CellPairs {
 public:
  CellPairs(const Cells& cells, std::vector<PairShare::Kinds> kinds, double width, int bins)
      : cells_(cells),
        kinds_(std::move(kinds)),
        scale_(static_cast<Real>((1 << kPlaceBits) / width)),
        bins_(bins),
        x_(cells.x.begin(), cells.x.end()),
        y_(cells.y.begin(), cells.y.end()),
        z_(cells.z.begin(), cells.z.end()) {}

  /// Atoms of cell `from` with those of cell `to`, whose origin lies at `shift` from that of `from`; each
  /// pair once where the two are the same.
  void add(std::size_t from, std::size_t to, const Eigen::Vector3d& shift, bool same, Worker& worker) const {
    for (const PairShare::Kinds& k : kinds_) {
      addKinds(from, to, k.a, k.b, k.pair, shift, same && k.a == k.b, worker);
      if (!same && k.a != k.b) addKinds(from, to, k.b, k.a, k.pair, shift, false, worker);
    }
  }

 private:
  void addKinds(std::size_t from, std::size_t to, int a, int b, int pair, const Eigen::Vector3d& shift,
                bool triangle, Worker& worker) const {
    const std::size_t firstOther = cells_.begin(to, b), others = cells_.end(to, b) - firstOther;
    for (std::size_t i = cells_.begin(from, a); i < cells_.end(from, a) && others > 0; ++i) {
      const std::size_t count = triangle ? i - firstOther : others;
      const Real atom[3] = {static_cast<Real>(cells_.x[i] - shift.x()),
                            static_cast<Real>(cells_.y[i] - shift.y()),
                            static_cast<Real>(cells_.z[i] - shift.z())};
      addDistances({x_.data() + firstOther, y_.data() + firstOther, z_.data() + firstOther},
                   static_cast<int>(count), atom, scale_, bins_, worker.histogram(pair, count));
    }
  }

  const Cells& cells_;
  std::vector<PairShare::Kinds> kinds_;
  Real scale_;
  int bins_;
  std::vector<Real> x_, y_, z_;
};

/// Where a step leads from a cell.
struct Neighbour {
  bool exists = true;
  std::size_t cell = 0;
  Eigen::Vector3d shift;  ///< from the origin of one to that of the other, images included
};

Neighbour neighbourOf(const Cells& cells, const std::array<int, 3>& cell, const CellStep& step) {
  Neighbour found;
  int to[3];
  Eigen::Vector3d images = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    to[i] = cell[i] + step.step[i];
    const int n = cells.n[i];
    if (to[i] >= 0 && to[i] < n) continue;
    if (!cells.periodic) return {false, 0, {}};
    const int image = static_cast<int>(std::floor(static_cast<double>(to[i]) / n));
    images(static_cast<int>(i)) = image;
    to[i] -= image * n;
  }
  found.cell = cells.number(to[0], to[1], to[2]);
  found.shift = cells.origins[found.cell] - cells.origins[cells.number(cell[0], cell[1], cell[2])] +
                cells.lattice.transpose() * images;
  return found;
}

template <class Real>
void visitCells(const Cells& cells, const PairShare& share, int kinds, const HistogramRequest& request,
                std::vector<std::unique_ptr<Worker>>& workers) {
  const CellPairs<Real> pairs(cells, share.pairsOf(kinds), request.width, request.bins);
  const auto steps = cellSteps(cells, request.range());
  std::vector<std::array<int, 3>> filled;
  for (int a = 0; a < cells.n[0]; ++a) {
    for (int b = 0; b < cells.n[1]; ++b) {
      for (int c = 0; c < cells.n[2]; ++c) {
        if (!cells.empty(cells.number(a, b, c))) filled.push_back({a, b, c});
      }
    }
  }
  // Few cells: steps are shared out too.
  const int slices = std::clamp(static_cast<int>(4096 / std::max<std::size_t>(1, filled.size())), 1,
                                static_cast<int>(steps.size()));
  std::atomic<double> visited{0};
  ThreadPool(request.threads).forEach(static_cast<int>(filled.size()) * slices, [&](int task, int number) {
    auto& worker = workers[number];
    if (!worker) worker = std::make_unique<Worker>(pairKinds(kinds), request.bins);
    const auto& at = filled[task / slices];
    const std::size_t cell = cells.number(at[0], at[1], at[2]);
    const double before = worker->visited();
    for (std::size_t s = static_cast<std::size_t>(task % slices); s < steps.size();
         s += static_cast<std::size_t>(slices)) {
      const Neighbour to = neighbourOf(cells, at, steps[s]);
      if (to.exists && !cells.empty(to.cell)) pairs.add(cell, to.cell, to.shift, s == 0, *worker);
    }
    if (!request.progress) return;
    const double more = worker->visited() - before;
    request.progress(visited.fetch_add(more) + more);
  });
}

}  // namespace

PairHistogram pairHistogram(const Structure& s, const HistogramRequest& request) {
  const int kinds = static_cast<int>(s.kinds.size());
  requireHistogram(request, kinds);
  const Stopwatch watch;
  PairHistogram histogram(request, kinds);
  if (s.size() == 0) return histogram;
  const PairShare share(s.size(), request.part, request.parts);
  const double edge = cellEdge(s, request.range());
  const Cells cells = sortIntoCells(request.parts == 1 ? s : share.split(s), edge);
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(request.threads));
  if (request.doublePrecision) {
    visitCells<double>(cells, share, kinds, request, workers);
  } else {
    visitCells<float>(cells, share, kinds, request, workers);
  }
  const std::size_t bins = static_cast<std::size_t>(request.bins);
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(pairKinds(kinds)) * (bins + 1)),
      places(counts.size());
  for (const auto& worker : workers) {
    if (!worker) continue;
    worker->flush();
    worker->addTo(counts, places);
    histogram.visited += worker->visited();
  }
  for (int pair = 0; pair < pairKinds(kinds); ++pair) {
    for (int k = 0; k < request.bins; ++k) {
      const std::size_t from = static_cast<std::size_t>(pair) * (bins + 1) + static_cast<std::size_t>(k);
      histogram.counts[histogram.at(pair, k)] = counts[from];
      // Places are cut off: on average half a unit is lost.
      histogram.offsets[histogram.at(pair, k)] =
          (static_cast<double>(places[from]) + 0.5 * static_cast<double>(counts[from])) / (1 << kPlaceBits);
    }
  }
  // Roundings of half a unit each. Of all distances: the coordinates of two atoms in their cells. Relative
  // ones: the atom seen from the other cell, the difference, 3 of the sum of squares (half as much for the
  // root), the root, the scale and the scaling. Places are cut off, which the half unit above makes an error
  // of either sign.
  const double rounding = request.doublePrecision ? 0x1p-53 : 0x1p-24;
  double radius = 0;
  for (std::size_t i = 0; i < cells.x.size(); ++i)
    radius = std::max(radius, std::hypot(cells.x[i], cells.y[i], cells.z[i]));
  histogram.distanceError = rounding * 2 * radius + 0.5 * request.width / (1 << kPlaceBits);
  histogram.relativeError = 6.5 * rounding;
  histogram.seconds = watch.seconds();
  return histogram;
}

}  // namespace prophet

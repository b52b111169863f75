#include "matter/pairs/debye_sums.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "matter/pairs/cells.hpp"
#include "matter/pairs/pair_histogram.hpp"
#include "matter/pairs/pair_kernels.hpp"

namespace prophet {
namespace {

constexpr int kTileRows = 16, kTileColumns = 128;  // atoms of a tile: 2048 distances stay in the first cache
constexpr double kTouching = 1e-6;  // angstrom: closer atoms count as one, with sin(qr)/(qr) = 1

/// A piece of the matrix of pairs: some rows of kind a against all atoms of kind b before them, or all.
struct Strip {
  PairShare::Kinds kinds;
  std::size_t begin, end;  // rows
};

std::vector<Strip> stripsOf(const ByKind& atoms, const std::vector<PairShare::Kinds>& pairs) {
  std::vector<Strip> all;
  for (const PairShare::Kinds& kinds : pairs) {
    const std::size_t first = atoms.first[kinds.a];
    const std::size_t last = atoms.first[static_cast<std::size_t>(kinds.a) + 1];
    // The longest rows of a triangle first.
    std::vector<Strip> strips;
    for (std::size_t i = first; i < last; i += kTileRows)
      strips.push_back({kinds, i, std::min(i + kTileRows, last)});
    all.insert(all.end(), strips.rbegin(), strips.rend());
  }
  return all;
}

template <class Real>
struct Tile {
  alignas(64) Real r[kTileRows * kTileColumns], inverse[kTileRows * kTileColumns];
  alignas(64) Real rest[kTileRows * kTileColumns];  // of r: what single precision cannot hold
  int count = 0;  // filled up to a multiple of 16 with pairs that add nothing
  double touching = 0;

  void clear() {
    count = 0;
    touching = 0;
  }
  void put(const Eigen::Vector3d& p, const Eigen::Vector3d& o) {
    const double distance = (p - o).norm();
    if (distance < kTouching) {
      ++touching;
      return;
    }
    r[count] = static_cast<Real>(distance);
    rest[count] = static_cast<Real>(distance - static_cast<double>(r[count]));
    inverse[count] = 1 / r[count];
    ++count;
  }
  void fillUp() {
    for (; count % 16 != 0; ++count) r[count] = rest[count] = inverse[count] = 0;
  }
};

template <class Real>
class StripSums {
 public:
  StripSums(const ByKind& atoms, const Eigen::VectorXd& q) : atoms_(atoms), q_(q) {
    for (const double value : q) {
      const double turns = value / (2 * constants::kPi);
      turns_.push_back(static_cast<Real>(turns));
      rest_.push_back(static_cast<Real>(turns - static_cast<double>(turns_.back())));
    }
  }

  /// Adds the strip's sums of sin(qr)/r and returns the pairs.
  double add(const Strip& strip, Tile<Real>& tile, Eigen::Ref<Eigen::VectorXd> sums,
             Eigen::Ref<Eigen::VectorXd> touching) const {
    double pairs = 0;
    const bool triangle = strip.kinds.a == strip.kinds.b;
    const std::size_t first = atoms_.first[strip.kinds.b];
    const std::size_t last = triangle ? strip.end : atoms_.first[static_cast<std::size_t>(strip.kinds.b) + 1];
    for (std::size_t j = first; j < last; j += kTileColumns) {
      tile.clear();
      for (std::size_t i = strip.begin; i < strip.end; ++i) {
        const std::size_t end = std::min({j + kTileColumns, last, triangle ? i : last});
        for (std::size_t o = j; o < end; ++o) tile.put(atoms_.positions[i], atoms_.positions[o]);
      }
      pairs += tile.count + tile.touching;
      tile.fillUp();
      touching.array() += tile.touching;
      for (Eigen::Index k = 0; k < q_.size(); ++k) {
        const std::size_t n = static_cast<std::size_t>(k);
        sums(k) += q_(k) == 0 ? 0.0 : sum(tile, n);
      }
    }
    return pairs;
  }

 private:
  double sum(const Tile<float>& t, std::size_t n) const {
    return sumOfSines(t.r, t.rest, t.inverse, t.count, turns_[n], rest_[n]);
  }
  double sum(const Tile<double>& t, std::size_t n) const {
    return sumOfSines(t.r, t.inverse, t.count, turns_[n], rest_[n]);
  }

  const ByKind& atoms_;
  const Eigen::VectorXd& q_;
  std::vector<Real> turns_, rest_;
};

struct Totals {
  Eigen::MatrixXd sines, touching, pairs;  // (q, pair), (q, pair), (1, pair)
  double seconds[2] = {0, 0};              // triangles, rectangles
};

template <class Real>
std::vector<Totals> visitStrips(const ByKind& atoms, const PairShare& share, const DebyeRequest& request,
                                int kinds) {
  const auto strips = stripsOf(atoms, share.pairsOf(kinds));
  const StripSums<Real> sums(atoms, request.q);
  std::vector<Totals> totals(static_cast<std::size_t>(request.threads));
  std::vector<std::unique_ptr<Tile<Real>>> tiles(totals.size());
  std::atomic<double> done{0};
  ThreadPool(request.threads).forEach(static_cast<int>(strips.size()), [&](int task, int worker) {
    Totals& mine = totals[worker];
    auto& tile = tiles[worker];
    if (!tile) {
      tile = std::make_unique<Tile<Real>>();
      mine.sines.setZero(request.q.size(), pairKinds(kinds));
      mine.touching = mine.sines;
      mine.pairs.setZero(1, pairKinds(kinds));
    }
    const Strip& strip = strips[task];
    const int pair = strip.kinds.pair;
    const Stopwatch watch;
    const double pairs = sums.add(strip, *tile, mine.sines.col(pair), mine.touching.col(pair));
    mine.pairs(0, pair) += pairs;
    mine.seconds[strip.kinds.same ? 0 : 1] += watch.seconds();
    if (!request.progress) return;
    request.progress(done.fetch_add(pairs) + pairs);
  });
  return totals;
}

}  // namespace

void requireScattering(const Eigen::VectorXd& q) {
  for (const double value : q) {
    if (!(value >= 0) || !std::isfinite(value))
      throw Error("a momentum transfer is a number from 0, in 1/angstrom");
  }
}

ByKind sortByKind(const Structure& s) {
  ByKind sorted;
  sorted.first.assign(s.kinds.size() + 1, 0);
  const auto counts = s.counts();
  for (std::size_t k = 0; k < counts.size(); ++k) sorted.first[k + 1] = sorted.first[k] + counts[k];
  sorted.positions.resize(s.size());
  auto next = sorted.first;
  for (std::size_t i = 0; i < s.size(); ++i) sorted.positions[next[s.kind[i]]++] = s.positions[i];
  return sorted;
}

DebyeSums debyeSums(const Structure& s, const DebyeRequest& request) {
  requireScattering(request.q);
  const Stopwatch watch;
  const int kinds = static_cast<int>(s.kinds.size());
  const PairShare share(s.size(), request.part, request.parts);
  const ByKind atoms = sortByKind(request.parts == 1 ? s : share.split(s));
  const auto totals = request.doublePrecision ? visitStrips<double>(atoms, share, request, kinds)
                                              : visitStrips<float>(atoms, share, request, kinds);
  DebyeSums sums;
  sums.values.setZero(request.q.size(), pairKinds(kinds));
  Eigen::MatrixXd touching = sums.values, pairs = Eigen::MatrixXd::Zero(1, pairKinds(kinds));
  double working[2] = {0, 0};
  for (const Totals& t : totals) {
    if (t.sines.size() == 0) continue;
    sums.values += t.sines;
    touching += t.touching;
    pairs += t.pairs;
    for (int i = 0; i < 2; ++i) working[i] += t.seconds[i];
  }
  const double momenta = static_cast<double>(request.q.size());
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b) {
      const double count = pairs(0, pairKind(a, b, kinds));
      (a == b ? sums.triangleTerms : sums.rectangleTerms) += count * momenta;
      for (Eigen::Index k = 0; k < request.q.size(); ++k) {
        double& value = sums.values(k, pairKind(a, b, kinds));
        value = request.q(k) == 0 ? count : value / request.q(k) + touching(k, pairKind(a, b, kinds));
      }
    }
  }
  sums.terms = sums.triangleTerms + sums.rectangleTerms;
  sums.seconds = watch.seconds();
  const double all = std::max(working[0] + working[1], std::numeric_limits<double>::min());
  sums.triangleSeconds = sums.seconds * working[0] / all;
  sums.rectangleSeconds = sums.seconds * working[1] / all;
  return sums;
}

namespace {

/// Bounds of the first and second derivative of sin(x)/x at or beyond x: their largest values anywhere, or
/// what sines and cosines at their worst make of (cos x - sin x/x)/x and ((2/x^2 - 1) sin x - 2 cos x/x)/x.
double slopeBound(double x) { return x > 0 ? std::min(0.4363, std::hypot(1, 1 / x) / x) : 0.4363; }
double curvatureBound(double x) {
  return x > 0 ? std::min(1.0 / 3, std::hypot(1, 2 / (x * x)) / x) : 1.0 / 3;
}

constexpr int kSlice = 64;  // momenta that a task does

/// Distances and how many pairs have them.
using Points = std::vector<std::pair<double, double>>;

/// Sums over points for the momenta of a slice, from `start` on.
void sumSlice(const Points& points, const Eigen::VectorXd& q, const Eigen::VectorXd& turns,
              Eigen::Index start, Eigen::Ref<Eigen::VectorXd> out) {
  const Eigen::Index n = std::min<Eigen::Index>(kSlice, q.size() - start);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(n);
  double touching = 0, all = 0;
  for (const auto& [r, number] : points) {
    all += number;
    if (r < 1e-6) {
      touching += number;
    } else {
      addSines(turns.data() + start, static_cast<int>(n), r, number / r, sum.data());
    }
  }
  for (Eigen::Index k = 0; k < n; ++k)
    out(start + k) = q(start + k) == 0 ? all : sum(k) / q(start + k) + touching;
}

/// Sums of each list of points, a column each.
Eigen::MatrixXd sumPoints(const std::vector<Points>& lists, const Eigen::VectorXd& q, int threads) {
  requireScattering(q);
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(q.size(), static_cast<Eigen::Index>(lists.size()));
  const Eigen::VectorXd turns = q / (2 * constants::kPi);
  const int slices = static_cast<int>((q.size() + kSlice - 1) / kSlice),
            count = static_cast<int>(lists.size());
  ThreadPool(threads).forEach(slices * count, [&](int task, int) {
    const int list = task % count;
    sumSlice(lists[list], q, turns, static_cast<Eigen::Index>(task / count) * kSlice, sums.col(list));
  });
  return sums;
}

}  // namespace

Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q, int threads) {
  std::vector<Points> lists(1);
  for (const double r : distances) lists[0].emplace_back(r, 1.0);
  return sumPoints(lists, q, threads);
}

DebyeSums debyeTransform(const PairHistogram& h, const Eigen::VectorXd& q, int threads) {
  const Stopwatch watch;
  std::vector<Points> lists(static_cast<std::size_t>(pairKinds(h.kinds)));
  for (int p = 0; p < pairKinds(h.kinds); ++p) {
    for (int k = 0; k < h.bins; ++k) {
      const auto count = h.counts[h.at(p, k)];
      if (count > 0) lists[p].emplace_back(h.meanDistance(p, k), static_cast<double>(count));
    }
  }
  DebyeSums sums;
  sums.values = sumPoints(lists, q, threads);
  sums.seconds = watch.seconds();
  return sums;
}

Eigen::MatrixXd debyeErrorBound(const PairHistogram& h, const Eigen::VectorXd& q) {
  const int pairs = pairKinds(h.kinds);
  Eigen::MatrixXd bound = Eigen::MatrixXd::Zero(q.size(), pairs);
  // Numbers in [0, 1] with the mean m vary by m (1 - m) at most (R. Bhatia and C. Davis, Am. Math. Monthly
  // 107, 353 (2000)). Bins of a GPU may be shifted by a little, as their scale is rounded.
  constexpr double kShift = 0.004;
  // Bounds fall with r: a few hundred groups of bins, each taken at its shortest distance, are enough.
  const int group = std::max(1, h.bins / 512);
  for (int p = 0; p < pairs; ++p) {
    for (int k = 0; k < h.bins; k += group) {
      double number = 0, spread = 0;  // pairs, sum of their variances in widths
      for (int i = k; i < std::min(h.bins, k + group); ++i) {
        const double count = static_cast<double>(h.counts[h.at(p, i)]);
        const double offset = h.offsets[h.at(p, i)];
        number += count;
        if (count > 0) spread += std::max(0.0, offset * (1 - offset / count)) + kShift * count;
      }
      if (number == 0) continue;
      const double r = k * h.width, error = h.errorAt(r + group * h.width);
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double x = q(i) * r;
        bound(i, p) += q(i) * (spread * h.width * h.width / 2 * q(i) * curvatureBound(x) +
                               number * error * slopeBound(x));
      }
    }
  }
  return bound;
}

double widthForTolerance(double tolerance, double largestQ, double diameter) {
  // <1/r> of a ball of diameter D is 2.4/D; twice that also covers the terms beyond 1/x.
  const double curvature = std::min(1.0 / 3, 4.8 / std::max(1e-9, largestQ * diameter));
  return std::sqrt(8 * tolerance / (largestQ * largestQ * curvature));
}

HistogramRequest requestForTolerance(const Structure& s, double tolerance, double largestQ, int freeBins,
                                     int mostBins) {
  const double range = particleRange(s);
  // The rest of the tolerance is for the roundings of distances.
  const double wide =
      std::max(widthForTolerance(0.6 * tolerance, std::max(1e-3, largestQ), range), range / (mostBins - 2));
  HistogramRequest r;
  r.width = freeBins > 2 ? std::min(wide, range / (freeBins - 2)) : wide;
  r.bins = static_cast<int>(range / r.width) + 2;
  return r;
}

namespace {

constexpr std::size_t kDistancesAtOnce = 1 << 18;  // distances that are handed on together

/// Distances by kinds of pairs, handed on when there are many.
class Collector {
 public:
  using Sink = std::function<void(int, const std::vector<double>&)>;
  Collector(int pairs, const Sink& sink) : lists_(static_cast<std::size_t>(pairs)), sink_(sink) {}
  void add(int pair, double distance) {
    auto& list = lists_[pair];
    list.push_back(distance);
    if (list.size() == kDistancesAtOnce) handOn(pair);
  }
  void finish() {
    for (std::size_t pair = 0; pair < lists_.size(); ++pair) handOn(static_cast<int>(pair));
  }

 private:
  void handOn(int pair) {
    auto& list = lists_[pair];
    if (!list.empty()) sink_(pair, list);
    list.clear();
  }
  std::vector<std::vector<double>> lists_;
  const Sink& sink_;
};

/// Pairs of an atom with those of a cell, or with those before it in its own.
void addAtom(const Cells& cells, std::size_t atom, int kind, std::size_t to, const Eigen::Vector3d& shift,
             bool same, double range, Collector& found) {
  const Eigen::Vector3d place = Eigen::Vector3d(cells.x[atom], cells.y[atom], cells.z[atom]) - shift;
  for (int other = 0; other < cells.kinds; ++other) {
    const std::size_t end = same ? std::min(atom, cells.end(to, other)) : cells.end(to, other);
    for (std::size_t j = cells.begin(to, other); j < end; ++j) {
      const double r = (place - Eigen::Vector3d(cells.x[j], cells.y[j], cells.z[j])).norm();
      if (r < range) found.add(pairKind(kind, other, cells.kinds), r);
    }
  }
}

}  // namespace

void forClosePairs(const Structure& structure, double range, int part, int parts,
                   const Collector::Sink& sink) {
  Structure particle = structure;
  particle.lattice.reset();
  if (particle.size() == 0) return;
  const Cells cells = sortIntoCells(particle, range);
  const auto steps = cellSteps(cells, range);
  Collector found(pairKinds(cells.kinds), sink);
  const int count = static_cast<int>(cells.count());
  for (int number = part; number < count; number += parts) {
    const int a = number / (cells.n[1] * cells.n[2]), b = number / cells.n[2] % cells.n[1],
              c = number % cells.n[2];
    const std::size_t from = static_cast<std::size_t>(number);
    for (const CellStep& step : steps) {
      const int x = a + step.step[0], y = b + step.step[1], z = c + step.step[2];
      if (x < 0 || y < 0 || z < 0 || x >= cells.n[0] || y >= cells.n[1] || z >= cells.n[2]) continue;
      const std::size_t to = cells.number(x, y, z);
      for (int kind = 0; kind < cells.kinds; ++kind) {
        for (std::size_t i = cells.begin(from, kind); i < cells.end(from, kind); ++i)
          addAtom(cells, i, kind, to, cells.origins[to] - cells.origins[from], to == from, range, found);
      }
    }
  }
  found.finish();
}

Eigen::VectorXd takeOut(PairHistogram& h, int bins) {
  const int pairs = pairKinds(h.kinds);
  Eigen::VectorXd taken = Eigen::VectorXd::Zero(pairs);
  for (int p = 0; p < pairs; ++p) {
    for (int k = 0; k < std::min(bins, h.bins); ++k) {
      taken(p) += static_cast<double>(h.counts[h.at(p, k)]);
      h.counts[h.at(p, k)] = 0;
      h.offsets[h.at(p, k)] = 0;
    }
  }
  return taken;
}

void addClosePairs(const ClosePairs& close, const Eigen::VectorXd& taken, const Eigen::VectorXd& q,
                   Eigen::MatrixXd& sums) {
  sums += close.values;
  const Eigen::VectorXd atTheEnd = q.unaryExpr([&](double value) {
    const double x = value * close.range;
    return x < 1e-8 ? 1.0 : std::sin(x) / x;
  });
  sums += atTheEnd * (taken - close.counts).transpose();
}

}  // namespace prophet

#include "matter/pairs/debye_sums.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "core/common/math_constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/thread_pool.hpp"
#include "matter/pairs/pair_share.hpp"
#include "matter/pairs/sine_kernel.hpp"

namespace prophet {
namespace {

constexpr int kRows = 16, kColumns = 128;  // atoms of a tile: 2048 distances stay in the first cache
constexpr double kTouching = 1e-6;         // angstrom: closer atoms count as one, with sin(qr)/(qr) = 1

/// A piece of the matrix of pairs: some rows of kind a against all atoms of kind b before them, or all.
struct Strip {
  PairShare::Kinds kinds;
  std::size_t begin, end;  // rows
};

std::vector<Strip> stripsOf(const ByKind& atoms, const std::vector<PairShare::Kinds>& pairs) {
  std::vector<Strip> all;
  for (const PairShare::Kinds& kinds : pairs) {
    const std::size_t first = atoms.first[static_cast<std::size_t>(kinds.a)];
    const std::size_t last = atoms.first[static_cast<std::size_t>(kinds.a) + 1];
    // The longest rows of a triangle first.
    std::vector<Strip> strips;
    for (std::size_t i = first; i < last; i += kRows) strips.push_back({kinds, i, std::min(i + kRows, last)});
    all.insert(all.end(), strips.rbegin(), strips.rend());
  }
  return all;
}

template <class Real>
struct Tile {
  alignas(64) Real r[kRows * kColumns], inverse[kRows * kColumns];
  alignas(64) Real rest[kRows * kColumns];  // of r: what single precision cannot hold
  int count = 0;                            // filled up to a multiple of 16 with pairs that add nothing
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
    const std::size_t first = atoms_.first[static_cast<std::size_t>(strip.kinds.b)];
    const std::size_t last = triangle ? strip.end : atoms_.first[static_cast<std::size_t>(strip.kinds.b) + 1];
    for (std::size_t j = first; j < last; j += kColumns) {
      tile.clear();
      for (std::size_t i = strip.begin; i < strip.end; ++i) {
        const std::size_t end = std::min({j + kColumns, last, triangle ? i : last});
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
    Totals& mine = totals[static_cast<std::size_t>(worker)];
    auto& tile = tiles[static_cast<std::size_t>(worker)];
    if (!tile) {
      tile = std::make_unique<Tile<Real>>();
      mine.sines.setZero(request.q.size(), pairKinds(kinds));
      mine.touching = mine.sines;
      mine.pairs.setZero(1, pairKinds(kinds));
    }
    const Strip& strip = strips[static_cast<std::size_t>(task)];
    const int pair = strip.kinds.pair;
    const Stopwatch watch;
    const double pairs = sums.add(strip, *tile, mine.sines.col(pair), mine.touching.col(pair));
    mine.pairs(0, pair) += pairs;
    mine.seconds[strip.kinds.same ? 0 : 1] += watch.seconds();
    if (!request.progress) return;
    double old = done.load();
    while (!done.compare_exchange_weak(old, old + pairs)) {
    }
    request.progress(old + pairs);
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
  for (std::size_t i = 0; i < s.size(); ++i)
    sorted.positions[next[static_cast<std::size_t>(s.kind[i])]++] = s.positions[i];
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

}  // namespace prophet

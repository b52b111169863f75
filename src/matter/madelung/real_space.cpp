#include "matter/madelung/real_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/common/constants.hpp"
#include "core/common/threads.hpp"
#include "matter/madelung/pair_terms.hpp"

namespace prophet {
namespace {

void addSelfAndBackground(const ChargedCell& cell, double beta, Electrostatics& sums) {
  const double self = 2 * beta / std::sqrt(constants::kPi);
  const double net = cell.charges.sum(), background = -constants::kPi * net / (beta * beta * cell.volume());
  sums.potentials.noalias() -= self * cell.charges;
  sums.potentials.array() += background;
  sums.energy += -0.5 * self * cell.charges.squaredNorm() + 0.5 * background * net;
  sums.virial.diagonal().array() += 0.5 * background * net;
}

/// Shares of energy and virial of some bins; potentials and fields are each site's own.
struct ShareOfPairs {
  double energy = 0;
  Eigen::Matrix3d virial = Eigen::Matrix3d::Zero();
};

/// Coordinates and charges in the order of the bins.
struct SortedCharges {
  SortedCharges(const ChargedCell& cell, const NeighbourSearch& search)
      : x(search.positions().row(0)),
        y(search.positions().row(1)),
        z(search.positions().row(2)),
        charge(cell.charges(search.sites())) {}
  Eigen::VectorXd x, y, z, charge;
};

/// out[i] = all[begin + i] + shift.
template <class Real>
void copyRun(const Eigen::VectorXd& all, std::size_t begin, std::size_t count, double shift, Real* out) {
  const double* from = all.data() + begin;
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Real>(from[i] + shift);
}

/// Sums over the neighbours of the sites of one bin after the other. Each pair is met from both of its sites:
/// nothing is written by two threads, and neighbours are taken many at a time.
template <class Real>
class BinSums {
 public:
  BinSums(const SortedCharges& sorted, const NeighbourSearch& search, double beta, double cutoff)
      : sorted_(sorted), search_(search), beta_(beta), cutoff_(cutoff) {}

  void add(int bin, ShareOfPairs& share, Electrostatics& sums) {
    const std::size_t first = search_.start()[static_cast<std::size_t>(bin)];
    const std::size_t end = search_.start()[static_cast<std::size_t>(bin) + 1];
    if (first == end) return;
    collect(bin, first);
    for (std::size_t a = first; a < end; ++a) {
      const PairTerms terms = around(own_ + static_cast<int>(a - first));
      addSite(search_.sites()[a], sorted_.charge(static_cast<Eigen::Index>(a)), terms, share, sums);
    }
  }

 private:
  /// The surroundings of a bin with its first site as the origin, so that single precision loses nothing far
  /// from that of the cell.
  void collect(int bin, std::size_t first) {
    search_.runsAround(bin, runs_);
    count_ = 0;
    for (const auto& run : runs_) count_ += static_cast<int>(run.end - run.begin);
    const auto room = static_cast<std::size_t>(count_);
    for (auto* all : {&x_, &y_, &z_, &charge_}) all->resize(room);
    for (auto& near : near_) near.resize(room + kPairBlock);
    const Eigen::Vector3d origin = search_.positions().col(static_cast<Eigen::Index>(first));
    std::size_t at = 0;
    for (const auto& run : runs_) {
      if (run.home && run.begin <= first && first < run.end) own_ = static_cast<int>(at + first - run.begin);
      const Eigen::Vector3d shift = run.shift - origin;
      const std::size_t count = run.end - run.begin;
      copyRun(sorted_.x, run.begin, count, shift(0), x_.data() + at);
      copyRun(sorted_.y, run.begin, count, shift(1), y_.data() + at);
      copyRun(sorted_.z, run.begin, count, shift(2), z_.data() + at);
      copyRun(sorted_.charge, run.begin, count, 0, charge_.data() + at);
      at += count;
    }
  }

  PairTerms around(int own) {
    const Neighbours<Real> near{near_[0].data(), near_[1].data(), near_[2].data(), near_[3].data()};
    const int found = neighboursOf({x_.data(), y_.data(), z_.data(), charge_.data()}, count_, own,
                                   static_cast<Real>(cutoff_ * cutoff_), near);
    return pairTerms(near, found, static_cast<Real>(beta_));
  }

  static void addSite(Eigen::Index site, double charge, const PairTerms& t, ShareOfPairs& share,
                      Electrostatics& sums) {
    const double half = 0.5 * charge;
    const double* v = t.stretch;
    sums.potentials(site) += t.potential;
    sums.fields.col(site) += Eigen::Vector3d(t.field[0], t.field[1], t.field[2]);
    share.energy += half * t.potential;
    share.virial +=
        half * (Eigen::Matrix3d() << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]).finished();
  }

  const SortedCharges& sorted_;
  const NeighbourSearch& search_;
  double beta_, cutoff_;
  std::vector<NeighbourSearch::Run> runs_;
  std::vector<Real> x_, y_, z_, charge_;
  std::array<std::vector<Real>, 4> near_;
  int count_ = 0, own_ = 0;
};

template <class Real>
void addPairs(const ChargedCell& cell, double beta, double cutoff, int threads, Electrostatics& sums) {
  constexpr int kShares = 64;  // fixed, so that the order of additions does not depend on the threads
  const NeighbourSearch search(cell, cutoff);
  const SortedCharges sorted(cell, search);
  const int bins = search.bins(), count = std::min(kShares, bins);
  std::vector<ShareOfPairs> shares(static_cast<std::size_t>(count));
  ThreadPool(threads).forEach(count, [&](int share, int) {
    BinSums<Real> pairs(sorted, search, beta, cutoff);
    const auto end = static_cast<int>(static_cast<long long>(bins) * (share + 1) / count);
    for (auto bin = static_cast<int>(static_cast<long long>(bins) * share / count); bin < end; ++bin)
      pairs.add(bin, shares[share], sums);
  });
  for (const ShareOfPairs& part : shares) {
    sums.energy += part.energy;
    sums.virial += part.virial;
  }
}

}  // namespace

void addRealSpace(const ChargedCell& cell, double beta, double cutoff, ChargePrecision precision, int threads,
                  Electrostatics& sums) {
  precision == ChargePrecision::Mixed ? addPairs<float>(cell, beta, cutoff, threads, sums)
                                      : addPairs<double>(cell, beta, cutoff, threads, sums);
  addSelfAndBackground(cell, beta, sums);
}

}  // namespace prophet

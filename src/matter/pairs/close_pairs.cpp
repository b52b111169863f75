#include "matter/pairs/close_pairs.hpp"

#include <cmath>

#include "matter/pairs/cells.hpp"

namespace prophet {
namespace {

constexpr std::size_t kBlock = 1 << 18;  // distances that are handed on together

/// Distances by kinds of pairs, handed on when there are many.
class Collector {
 public:
  using Sink = std::function<void(int, const std::vector<double>&)>;
  Collector(int pairs, const Sink& sink) : lists_(static_cast<std::size_t>(pairs)), sink_(sink) {}
  void add(int pair, double distance) {
    auto& list = lists_[static_cast<std::size_t>(pair)];
    list.push_back(distance);
    if (list.size() == kBlock) handOn(pair);
  }
  void finish() {
    for (std::size_t pair = 0; pair < lists_.size(); ++pair) handOn(static_cast<int>(pair));
  }

 private:
  void handOn(int pair) {
    auto& list = lists_[static_cast<std::size_t>(pair)];
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

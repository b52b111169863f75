#include "fock/pair_density.hpp"

namespace prophet {
namespace {

Eigen::VectorXd weights(const OccupiedSpinors& s, bool openOnly) {
  Eigen::VectorXd w = s.occupation;
  if (openOnly) {
    const Eigen::Index last = w.size() - 1;
    for (Eigen::Index i = 0; i < w.size(); ++i) {
      if (!s.open || i != last) w(i) = 0.0;
    }
  }
  return w;
}

}  // namespace

PairVectors::PairVectors(std::int64_t pairs)
    : ll(Eigen::VectorXd::Zero(pairs)),
      ss(Eigen::VectorXd::Zero(pairs)),
      rs(Eigen::VectorXd::Zero(pairs)),
      sr(Eigen::VectorXd::Zero(pairs)) {}

void PairVectors::setZero() {
  ll.setZero();
  ss.setZero();
  rs.setZero();
  sr.setZero();
}

PairVectors& PairVectors::operator+=(const PairVectors& other) {
  ll += other.ll;
  ss += other.ss;
  rs += other.rs;
  sr += other.sr;
  return *this;
}

PairVectors packDensity(const std::vector<OccupiedSpinors>& spinors, const PairIndex& index, bool openOnly) {
  PairVectors d(index.pairs());
  std::int64_t i = 0;
  for (const OccupiedSpinors& s : spinors) {
    const Eigen::VectorXd w = weights(s, openOnly);
    const Eigen::MatrixXd ll = s.large * w.asDiagonal() * s.large.transpose();
    const Eigen::MatrixXd ls = s.large * w.asDiagonal() * s.small.transpose();
    const Eigen::MatrixXd ss = s.small * w.asDiagonal() * s.small.transpose();
    for (Eigen::Index p = 0; p < ll.rows(); ++p) {
      for (Eigen::Index q = 0; q <= p; ++q, ++i) {
        const double both = p == q ? 1.0 : 2.0;
        d.ll(i) = both * ll(p, q);
        d.ss(i) = both * ss(p, q);
        d.rs(i) = ls(p, q);
        d.sr(i) = p == q ? 0.0 : ls(q, p);
      }
    }
  }
  return d;
}

void unpackFock(const PairVectors& packed, const std::vector<OccupiedSpinors>& spinors,
                std::vector<BlockMatrix>& blocks) {
  blocks.resize(spinors.size());
  std::int64_t i = 0;
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    const int n = static_cast<int>(spinors[a].large.rows());
    BlockMatrix& b = blocks[a];
    b.resize(n, n);
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q <= p; ++q, ++i) {
        b.LL(p, q) = b.LL(q, p) = packed.ll(i);
        b.SS(p, q) = b.SS(q, p) = packed.ss(i);
        if (p != q) b.LS(q, p) = packed.sr(i);
        b.LS(p, q) = packed.rs(i);
      }
    }
  }
}

}  // namespace prophet

#include "atoms/fock/pair_density.hpp"

namespace prophet {
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

PairVectors packDensity(const std::vector<OccupiedSpinors>& spinors,
                        const std::vector<Eigen::VectorXd>& weights, const PairIndex& index) {
  PairVectors d(index.pairs());
  std::int64_t i = 0;
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    const OccupiedSpinors& s = spinors[a];
    const Eigen::MatrixXd ll = s.large * weights[a].asDiagonal() * s.large.transpose();
    const Eigen::MatrixXd ls = s.large * weights[a].asDiagonal() * s.small.transpose();
    const Eigen::MatrixXd ss = s.small * weights[a].asDiagonal() * s.small.transpose();
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

void unpackFock(const PairVectors& packed, const PairIndex& index, int a, BlockMatrix& b) {
  const PairNumbering numbering = index.view();
  const int n = numbering.size[a];
  b.resize(n, n);
  std::int64_t i = numbering.pairOffset[a];
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q <= p; ++q, ++i) {
      b.LL(p, q) = b.LL(q, p) = packed.ll(i);
      b.SS(p, q) = b.SS(q, p) = packed.ss(i);
      if (p != q) b.LS(q, p) = packed.sr(i);
      b.LS(p, q) = packed.rs(i);
    }
  }
}

}  // namespace prophet

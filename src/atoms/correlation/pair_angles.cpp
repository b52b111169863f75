#include "atoms/correlation/pair_angles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "atoms/angular/angular.hpp"

namespace prophet {
namespace {

/// <kappa m|C^k_q|kappa' m'> of spherical spinors, q = m - m'.
double elementOfC(Symmetry bra, int twoM, int k, Symmetry ket, int twoMPrime) {
  const int twoJ = bra.twoJ();
  const double sign = (twoJ - twoM) / 2 % 2 == 0 ? 1 : -1;
  return sign * reducedC(bra, k, ket) * wigner3j(twoJ, 2 * k, ket.twoJ(), -twoM, twoM - twoMPrime, twoMPrime);
}

}  // namespace

std::vector<int> pairRanks(const PairSymmetries& p) {
  const int least = std::max(std::abs(p.a.twoJ() - p.r.twoJ()), std::abs(p.b.twoJ() - p.s.twoJ())) / 2;
  const int most = std::min(p.a.twoJ() + p.r.twoJ(), p.b.twoJ() + p.s.twoJ()) / 2;
  std::vector<int> ranks;
  for (int k = least; k <= most; ++k)
    if ((p.a.l() + p.r.l() + k) % 2 == 0 && (p.b.l() + p.s.l() + k) % 2 == 0) ranks.push_back(k);
  return ranks;
}

Eigen::VectorXd pairElement(const PairSymmetries& p, const std::vector<int>& ranks, int twoMa, int twoMb,
                            int twoMr, int twoMs) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(ranks.size()));
  const double sign = (twoMa - twoMr) / 2 % 2 == 0 ? 1 : -1;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    values(static_cast<Eigen::Index>(i)) =
        sign * elementOfC(p.a, twoMa, ranks[i], p.r, twoMr) * elementOfC(p.b, twoMb, ranks[i], p.s, twoMs);
  return values;
}

const Eigen::MatrixXd& PairAngles::form(const PairSymmetries& p, unsigned left) {
  const auto [place, isNew] =
      kept_.try_emplace({p.a.kappa, p.b.kappa, p.r.kappa, p.s.kappa, static_cast<int>(left)});
  Eigen::MatrixXd& m = place->second;
  if (!isNew) return m;
  const PairSymmetries swapped{p.a, p.b, p.s, p.r};
  const std::vector<int> direct = pairRanks(p), exchange = pairRanks(swapped);
  const auto nd = static_cast<Eigen::Index>(direct.size()), nx = static_cast<Eigen::Index>(exchange.size());
  m = Eigen::MatrixXd::Zero(nd + nx, nd + nx);
  Eigen::VectorXd element(nd + nx);
  for (int a = -p.a.twoJ(); a <= p.a.twoJ(); a += 2)
    for (int b = -p.b.twoJ(); b <= p.b.twoJ(); b += 2)
      for (int r = -p.r.twoJ(); r <= p.r.twoJ(); r += 2) {
        const int s = a + b - r;
        if (std::abs(s) > p.s.twoJ()) continue;
        if (((left & kRisA) != 0 && r == a) || ((left & kRisB) != 0 && r == b) ||
            ((left & kSisA) != 0 && s == a) || ((left & kSisB) != 0 && s == b))
          continue;
        element.head(nd) = pairElement(p, direct, a, b, r, s);
        element.tail(nx) = -pairElement(swapped, exchange, a, b, s, r);
        m.noalias() += element * element.transpose();
      }
  return m;
}

}  // namespace prophet

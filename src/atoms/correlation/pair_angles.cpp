#include "atoms/correlation/pair_angles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "atoms/angular/angular.hpp"
#include "core/common/index.hpp"

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

const Eigen::MatrixXd& TensorElements::of(Symmetry bra, int k, Symmetry ket) {
  const auto [place, isNew] = kept_.try_emplace({bra.kappa, k, ket.kappa});
  Eigen::MatrixXd& m = place->second;
  if (!isNew) return m;
  m.resize(bra.degeneracy(), ket.degeneracy());
  for (int i = 0; i < bra.degeneracy(); ++i)
    for (int j = 0; j < ket.degeneracy(); ++j)
      m(i, j) = elementOfC(bra, 2 * i - bra.twoJ(), k, ket, 2 * j - ket.twoJ());
  return m;
}

PairElements::PairElements(const PairSymmetries& p, TensorElements& tensors)
    : pair_(p), ranks_(pairRanks(p)) {
  for (const int k : ranks_) {
    first_.push_back(tensors.of(p.a, k, p.r));
    second_.push_back(tensors.of(p.b, k, p.s));
  }
}

double PairElements::operator()(Eigen::Index rank, int twoMa, int twoMb, int twoMr, int twoMs) const {
  const auto place = [](Symmetry s, int twoM) { return (twoM + s.twoJ()) / 2; };
  const auto i = usize(rank);
  const double sign = (twoMa - twoMr) / 2 % 2 == 0 ? 1 : -1;
  return sign * first_[i](place(pair_.a, twoMa), place(pair_.r, twoMr)) *
         second_[i](place(pair_.b, twoMb), place(pair_.s, twoMs));
}

const Eigen::MatrixXd& PairAngles::form(const PairSymmetries& p, unsigned left) {
  const auto [place, isNew] =
      kept_.try_emplace({p.a.kappa, p.b.kappa, p.r.kappa, p.s.kappa, static_cast<int>(left)});
  Eigen::MatrixXd& m = place->second;
  if (!isNew) return m;
  const PairElements direct(p, tensors_), exchange({p.a, p.b, p.s, p.r}, tensors_);
  const Eigen::Index nd = direct.count(), nx = exchange.count();
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
        for (Eigen::Index i = 0; i < nd; ++i) element(i) = direct(i, a, b, r, s);
        for (Eigen::Index i = 0; i < nx; ++i) element(nd + i) = -exchange(i, a, b, s, r);
        m.noalias() += element * element.transpose();
      }
  if (factors_.empty()) return m;
  std::vector<int> ranks = direct.ranks();
  ranks.insert(ranks.end(), exchange.ranks().begin(), exchange.ranks().end());
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      m(i, j) *= 0.5 * (factorOf(factors_, ranks[usize(i)]) + factorOf(factors_, ranks[usize(j)]));
  return m;
}

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Symmetries of two electrons before (a, b) and after (r, s) a transition.
struct PairSymmetries {
  Symmetry a, b, r, s;
};

/// Ranks k of R^k(ab,rs) that parity and triangles allow, ascending.
std::vector<int> pairRanks(const PairSymmetries& pair);

/// <kappa m|C^k_q|kappa' m'> of two symmetries and a rank, a row for each m and a column for each m', both
/// ascending. Kept, because 3j symbols take far longer than all that is made of them. Not thread-safe.
class TensorElements {
 public:
  const Eigen::MatrixXd& of(Symmetry bra, int k, Symmetry ket);

 private:
  std::map<std::array<int, 3>, Eigen::MatrixXd> kept_;
};

/// <ab|rs> as a sum over k of these numbers times R^k(ab,rs), for the ranks of pairRanks; projections as
/// twice their values, with ma + mb = mr + ms. Source: W. R. Johnson, Atomic Structure Theory (2007),
/// section 3.2 in the convention of reducedC.
class PairElements {
 public:
  PairElements(const PairSymmetries& pair, TensorElements& tensors);
  const std::vector<int>& ranks() const { return ranks_; }
  Eigen::Index count() const { return static_cast<Eigen::Index>(ranks_.size()); }
  /// `rank`: its place in ranks().
  double operator()(Eigen::Index rank, int twoMa, int twoMb, int twoMr, int twoMs) const;

 private:
  PairSymmetries pair_;
  std::vector<int> ranks_;
  std::vector<Eigen::MatrixXd> first_, second_;  ///< <a m|C^k|r m'> and <b m|C^k|s m'>, for each rank
};

/// Pairs of places with the same projection, which are left out of a sum over projections because the places
/// are one: a spinor that is occupied in part is before and after a transition another one of its places.
enum SamePlace : unsigned { kNoPlace = 0, kRisA = 1, kRisB = 2, kSisA = 4, kSisB = 8 };

/// Factors of interactions of rank k stand for what screens them; they are 1 beyond the last one.
using RankFactors = std::vector<double>;
inline double factorOf(const RankFactors& factors, int k) {
  return static_cast<std::size_t>(k) < factors.size() ? factors[static_cast<std::size_t>(k)] : 1;
}

/// Sums over all projections of |<ab||rs>|^2, <ab||rs> = <ab|rs> - <ab|sr>, as quadratic forms in the radial
/// integrals. `factors`: a product of two of them is multiplied by the mean of the factors of both.
class PairAngles {
 public:
  explicit PairAngles(RankFactors factors = {}) : factors_(std::move(factors)) {}
  /// x^T M x = sum over all m of |<ab||rs>|^2 with x = (R^k(ab,rs) for the ranks of abrs, then R^k(ab,sr) for
  /// those of absr). `left`: a sum of SamePlace, which projections are left out. Not thread-safe: matrices
  /// are kept.
  const Eigen::MatrixXd& form(const PairSymmetries& pair, unsigned left = kNoPlace);

 private:
  RankFactors factors_;
  std::map<std::array<int, 5>, Eigen::MatrixXd> kept_;
  TensorElements tensors_;
};

}  // namespace prophet

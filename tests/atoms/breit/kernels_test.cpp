#include <gtest/gtest.h>

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/integrals/pair_index.hpp"
#include "atoms/integrals/primitives.hpp"
#include "reference.hpp"

namespace prophet {
namespace {

/// P_a(r) Q_b(r).
PairDistribution mixedPair(const Primitive& a, int la, const Primitive& b, int lb) {
  const double zeta = a.zeta + b.zeta;
  if (b.small0 != 0.0) return {zeta, la + lb + 1, 2, {a.norm * b.small0, a.norm * b.small2, 0.0}};
  return {zeta, la + lb + 3, 1, {a.norm * b.small2, 0.0, 0.0}};
}

/// Radial integral of one kernel of the interaction between two distributions, from closed forms.
double radialIntegral(const BreitTerm& t, const PairDistribution& f, const PairDistribution& g) {
  if (t.rank1 == t.rank2) return slater(t.rank1, f, g);
  const PairDistribution& inner = t.rank1 < t.rank2 ? f : g;
  const PairDistribution& outer = t.rank1 < t.rank2 ? g : f;
  double sum = 0.0;
  for (int i = 0; i < inner.count; ++i) {
    for (int j = 0; j < outer.count; ++j) {
      const int n = inner.power + 2 * i, m = outer.power + 2 * j;
      sum += inner.coefficient[i] * outer.coefficient[j] *
             (radial::slaterHalf(t.rankJ - 1, m, outer.zeta, n, inner.zeta) -
              radial::slaterHalf(t.rankJ + 1, m, outer.zeta, n, inner.zeta));
    }
  }
  return sum;
}

/// A spinor of every symmetry with coefficients that are not special in any way; the last one open.
std::vector<OccupiedSpinors> someSpinors(const BasisSet& basis, double seed) {
  std::vector<OccupiedSpinors> spinors;
  for (const SymmetryBasis& s : basis.symmetries) {
    const int n = s.size();
    OccupiedSpinors o;
    o.large.resize(n, 2);
    o.small.resize(n, 2);
    for (int i = 0; i < 2 * n; ++i) {
      o.large(i % n, i / n) = std::cos(seed + 1.7 * i + s.symmetry.kappa);
      o.small(i % n, i / n) = 0.1 * std::sin(2.0 * seed + 0.9 * i - s.symmetry.kappa);
    }
    o.occupation = Eigen::Vector2d(s.symmetry.degeneracy(), 0.7);
    spinors.push_back(o);
  }
  return spinors;
}

/// Exchange matrices P (of all electrons) of the Breit part alone.
std::vector<BlockMatrix> gridMatrices(const BasisSet& basis, const RadialGrid& grid, BreitPart part,
                                      const std::vector<OccupiedSpinors>& spinors) {
  std::vector<Symmetry> list;
  for (const SymmetryBasis& s : basis.symmetries) list.push_back(s.symmetry);
  ThreadPool pool(1);
  GridFockBuilder builder(basis, grid, pool, breitKernels(list, grid.h, grid.points, part), false);
  std::vector<BlockMatrix> p, q;
  builder.build(spinors, Eigen::MatrixXd::Zero(list.size(), list.size()), p, q);
  return p;
}

/// The same from analytic integrals over all quadruples of primitives.
std::vector<BlockMatrix> analyticMatrices(const BasisSet& basis, BreitPart part,
                                          const std::vector<OccupiedSpinors>& spinors) {
  const PrimitiveTable table = makePrimitiveTable(basis);
  std::vector<BlockMatrix> result;
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    const int n = basis.symmetries[a].size(), la = table.symmetries[a].l();
    BlockMatrix k;
    k.resize(n, n);
    k.setZero();
    for (std::size_t b = 0; b < spinors.size(); ++b) {
      const int m = basis.symmetries[b].size(), lb = table.symmetries[b].l();
      const auto weight = spinors[b].occupation.asDiagonal();
      const Eigen::MatrixXd dLL = spinors[b].large * weight * spinors[b].large.transpose();
      const Eigen::MatrixXd dSS = spinors[b].small * weight * spinors[b].small.transpose();
      const Eigen::MatrixXd dSL = spinors[b].small * weight * spinors[b].large.transpose();
      const std::vector<BreitTerm> terms = breitTerms(table.symmetries[a], table.symmetries[b], part);
      for (int p = 0; p < n; ++p) {
        for (int q = 0; q < n; ++q) {
          const Primitive &fp = table.primitives[table.offset[a] + p],
                          &fq = table.primitives[table.offset[a] + q];
          for (int r = 0; r < m; ++r) {
            for (int s = 0; s < m; ++s) {
              const Primitive &fr = table.primitives[table.offset[b] + r],
                              &fs = table.primitives[table.offset[b] + s];
              const PairDistribution pLrS = mixedPair(fp, la, fr, lb), qLsS = mixedPair(fq, la, fs, lb);
              const PairDistribution rLpS = mixedPair(fr, lb, fp, la), sLqS = mixedPair(fs, lb, fq, la);
              for (const BreitTerm& t : terms) {
                k.LL(p, q) -= t.coefficient * t.largeFromSmall * dSS(r, s) * radialIntegral(t, pLrS, qLsS);
                k.SS(p, q) -= t.coefficient * t.smallFromLarge * dLL(r, s) * radialIntegral(t, rLpS, sLqS);
                k.LS(p, q) -= t.coefficient * t.mixed * dSL(r, s) * radialIntegral(t, pLrS, sLqS);
              }
            }
          }
        }
      }
    }
    result.push_back(k);
  }
  return result;
}

double largest(const Eigen::MatrixXd& m) { return m.cwiseAbs().maxCoeff(); }

TEST(BreitKernels, MatricesAgreeWithAnalyticIntegrals) {
  const BasisSet basis = test::evenTempered(5, 0.4, 6.0, 4);
  const std::vector<OccupiedSpinors> spinors = someSpinors(basis, 0.3);
  const RadialGrid grids[] = {makeGrid(basis, 0.09), fockGrid(basis)};
  const double tolerances[] = {1e-13, 1e-10};
  for (const BreitPart part : {BreitPart::Gaunt, BreitPart::Gauge, BreitPart::Breit}) {
    const auto analytic = analyticMatrices(basis, part, spinors);
    for (int g = 0; g < 2; ++g) {
      const auto grid = gridMatrices(basis, grids[g], part, spinors);
      for (std::size_t a = 0; a < grid.size(); ++a) {
        const double scale = largest(analytic[a].LL) + largest(analytic[a].LS);
        EXPECT_LT(largest(grid[a].LL - analytic[a].LL), tolerances[g] * scale);
        EXPECT_LT(largest(grid[a].SS - analytic[a].SS), tolerances[g] * largest(analytic[a].SS));
        EXPECT_LT(largest(grid[a].LS - analytic[a].LS), tolerances[g] * scale);
        EXPECT_GT(scale, 1e-2);
      }
    }
  }
}

TEST(BreitKernels, AnalyticMatricesAreSymmetric) {
  const BasisSet basis = test::evenTempered(4, 0.5, 7.0, 3);
  for (const BlockMatrix& k : analyticMatrices(basis, BreitPart::Breit, someSpinors(basis, 1.1))) {
    EXPECT_LT(largest(k.LL - k.LL.transpose()), 1e-14 * largest(k.LL));
    EXPECT_LT(largest(k.SS - k.SS.transpose()), 1e-14 * largest(k.SS));
  }
}

/// tr(D K[D']) = tr(D' K[D]): the interaction is symmetric in the two electrons.
TEST(BreitKernels, ExchangeIsSelfAdjoint) {
  const BasisSet basis = test::evenTempered(7, 0.1, 3.0, 9);
  const auto x = someSpinors(basis, 0.2), y = someSpinors(basis, 2.3);
  const auto trace = [](const std::vector<OccupiedSpinors>& d, const std::vector<BlockMatrix>& k) {
    double sum = 0.0;
    for (std::size_t a = 0; a < d.size(); ++a) {
      for (int i = 0; i < 2; ++i) {
        const auto l = d[a].large.col(i), s = d[a].small.col(i);
        sum += d[a].occupation(i) * (l.dot(k[a].LL * l) + s.dot(k[a].SS * s) + 2.0 * l.dot(k[a].LS * s));
      }
    }
    return sum;
  };
  for (const BreitPart part : {BreitPart::Gaunt, BreitPart::Gauge}) {
    const RadialGrid grid = fockGrid(basis);
    const double xy = trace(x, gridMatrices(basis, grid, part, y));
    const double yx = trace(y, gridMatrices(basis, grid, part, x));
    EXPECT_NEAR(xy, yx, 1e-12 * std::abs(xy));
  }
}

/// Radial kernel of electrons 1 and 2 of rank L (Slater kernel) or, for rank1 != rank2, of the gauge term's
/// theta(r1 < r2) [r1^(J-1)/r2^J - r1^(J+1)/r2^(J+2)] (rank1 = J - 1; exchanged for rank1 = J + 1), for
/// functions scaled by r^(1/4); entry m + points - 1, m = index of r2 - index of r1.
Eigen::VectorXd breitRadialKernel(const BreitTerm& term, double h, int points) {
  if (term.rank1 == term.rank2) return slaterKernel(term.rank1, h, points);
  // In x = ln(r2/r1) > 0 it is multiplied by sqrt(r1 r2).
  const int j = term.rankJ;
  const Eigen::VectorXd kernel = oneSidedKernel(j - 0.5, h, points) - oneSidedKernel(j + 1.5, h, points);
  return term.rank1 < term.rank2 ? kernel : kernel.reverse();
}

TEST(BreitKernels, MergedKernelsOfEqualBlocksAreEven) {
  const double h = 0.12;
  const int points = 120;
  for (const Symmetry a : firstSymmetries(7)) {
    for (const Symmetry b : firstSymmetries(7)) {
      Eigen::VectorXd ll = Eigen::VectorXd::Zero(2 * points - 1), ss = ll;
      for (const BreitTerm& t : breitTerms(a, b, BreitPart::Breit)) {
        const Eigen::VectorXd kernel = breitRadialKernel(t, h, points);
        ll += t.coefficient * t.largeFromSmall * kernel;
        ss += t.coefficient * t.smallFromLarge * kernel;
      }
      EXPECT_LT((ll - ll.reverse()).cwiseAbs().maxCoeff(), 1e-15);
      EXPECT_LT((ss - ss.reverse()).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

/// <1/2||sigma||1/2> = sqrt 6, and sums over all ranks of C^L x sigma between closed shells.
TEST(SpinTensor, KnownElements) {
  const Symmetry s{-1}, p1{1}, p3{-2};
  EXPECT_NEAR(reducedSpinTensor(s, 0, 1, s), std::sqrt(6.0), 1e-14);
  // sigma.r/r turns s1/2 into -p1/2, and [C^1 x sigma]^0 = -sigma.r/(r sqrt 3).
  EXPECT_NEAR(reducedSpinTensor(p1, 1, 0, s), std::sqrt(2.0) / std::sqrt(3.0), 1e-14);
  EXPECT_EQ(reducedSpinTensor(p3, 1, 0, s), 0.0);
  EXPECT_EQ(reducedSpinTensor(p1, 0, 1, s), 0.0);
  EXPECT_EQ(reducedSpinTensor(p1, -1, 0, s), 0.0);
}

/// <x||T||y> = (-1)^(L + 1 - J + j_y - j_x) <y||T||x>, which spares half of the elements.
TEST(SpinTensor, IsHermitian) {
  for (const Symmetry x : firstSymmetries(9)) {
    for (const Symmetry y : firstSymmetries(9)) {
      for (int j = 0; j < 9; ++j) {
        for (int l = std::max(0, j - 1); l <= j + 1; ++l) {
          const int phase = l + 1 - j + (y.twoJ() - x.twoJ()) / 2;
          const double sign = phase % 2 == 0 ? 1.0 : -1.0;
          EXPECT_NEAR(reducedSpinTensor(x, l, j, y), sign * reducedSpinTensor(y, l, j, x), 1e-14);
        }
      }
    }
  }
}

/// The kernels of the parts against plain sums over their terms; the whole is their sum.
TEST(BreitKernels, SetHoldsBothPartsAndTheirSum) {
  const double h = 0.12;
  const int points = 90;
  const std::vector<Symmetry> symmetries = firstSymmetries(7);
  const BreitKernelSet set = breitKernelSet(symmetries, h, points);
  for (std::size_t a = 0; a < 7; ++a) {
    for (std::size_t b = 0; b < 7; ++b) {
      for (const BreitPart part : {BreitPart::Gaunt, BreitPart::Gauge, BreitPart::Breit}) {
        const CrossKernels& kernels = part == BreitPart::Gaunt   ? *set.gaunt
                                      : part == BreitPart::Gauge ? *set.gauge
                                                                 : *set.breit;
        Eigen::VectorXd ll = Eigen::VectorXd::Zero(2 * points - 1), ss = ll, ls = ll;
        for (const BreitTerm& t : breitTerms(symmetries[a], symmetries[b], part)) {
          const Eigen::VectorXd kernel = breitRadialKernel(t, h, points);
          ll += t.coefficient * t.largeFromSmall * kernel;
          ss += t.coefficient * t.smallFromLarge * kernel;
          ls += t.coefficient * t.mixed * kernel;
        }
        EXPECT_LT(largest(ll - kernels.largeFromSmall[7 * a + b]), 1e-15);
        EXPECT_LT(largest(ss - kernels.smallFromLarge[7 * a + b]), 1e-15);
        EXPECT_LT(largest(ls - kernels.mixed[7 * a + b]), 1e-15);
      }
    }
  }
}

}  // namespace
}  // namespace prophet

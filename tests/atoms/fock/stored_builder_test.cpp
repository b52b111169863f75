#include "atoms/fock/stored_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "random_spinors.hpp"

namespace prophet {
namespace {

BasisSet smallBasis() {
  BasisSet basis;
  const std::vector<std::vector<double>> exponents = {{0.2, 1.5, 9.0}, {0.3, 2.0}, {0.25, 1.1}, {0.6}};
  for (int a = 0; a < 4; ++a) basis.symmetries.push_back({Symmetry::fromIndex(a), exponents[a]});
  return basis;
}

/// P by plain loops over the four function indices, straight from docs/theory/dirac-hartree-fock.md,
/// "Two-electron integrals"; no pair index, no triangle.
class PlainFock {
 public:
  explicit PlainFock(const BasisSet& basis) : table_(makePrimitiveTable(basis)) {}

  BlockMatrix p(const std::vector<OccupiedSpinors>& spinors, int a) const {
    const int n = size(a);
    BlockMatrix result;
    result.resize(n, n);
    result.setZero();
    for (int b = 0; b < static_cast<int>(spinors.size()); ++b) addFrom(spinors[b], a, b, result);
    return result;
  }

 private:
  int size(int a) const { return table_.offset[a + 1] - table_.offset[a]; }
  const Primitive& f(int a, int i) const { return table_.primitives[table_.offset[a] + i]; }
  int l(int a) const { return table_.symmetries[a].l(); }
  PairDistribution large(int a, int i, int b, int j) const { return largePair(f(a, i), l(a), f(b, j), l(b)); }
  PairDistribution small(int a, int i, int b, int j) const { return smallPair(f(a, i), l(a), f(b, j), l(b)); }

  void addFrom(const OccupiedSpinors& s, int a, int b, BlockMatrix& out) const {
    const Eigen::MatrixXd ll = s.large * s.occupation.asDiagonal() * s.large.transpose();
    const Eigen::MatrixXd ls = s.large * s.occupation.asDiagonal() * s.small.transpose();
    const Eigen::MatrixXd ss = s.small * s.occupation.asDiagonal() * s.small.transpose();
    const auto terms = exchangeTerms(table_.symmetries[a], table_.symmetries[b]);
    for (int p = 0; p < size(a); ++p) {
      for (int q = 0; q < size(a); ++q) {
        for (int r = 0; r < size(b); ++r) {
          for (int t = 0; t < size(b); ++t) {
            out.LL(p, q) += ll(r, t) * slater(0, large(a, p, a, q), large(b, r, b, t)) +
                            ss(r, t) * slater(0, large(a, p, a, q), small(b, r, b, t));
            out.SS(p, q) += ll(r, t) * slater(0, small(a, p, a, q), large(b, r, b, t)) +
                            ss(r, t) * slater(0, small(a, p, a, q), small(b, r, b, t));
            for (const ExchangeTerm& e : terms) {
              out.LL(p, q) -= e.coefficient * ll(r, t) * slater(e.k, large(a, p, b, r), large(b, t, a, q));
              out.SS(p, q) -= e.coefficient * ss(r, t) * slater(e.k, small(a, p, b, r), small(b, t, a, q));
              out.LS(p, q) -= e.coefficient * ls(r, t) * slater(e.k, large(a, p, b, r), small(b, t, a, q));
            }
          }
        }
      }
    }
  }

  PrimitiveTable table_;
};

TEST(StoredBuilder, MatchesPlainLoops) {
  const BasisSet basis = smallBasis();
  const std::vector<int> open = {1, 0, 1, 0};
  const auto spinors = test::randomSpinors(basis, {2, 1, 2, 1}, open, 3);
  StoredFockBuilder stored(basis, 2);
  std::vector<BlockMatrix> p, q;
  stored.build(spinors, test::randomReduction(open, 3), p, q);
  const PlainFock plain(basis);
  for (int a = 0; a < 4; ++a) {
    EXPECT_LT(test::relativeDifference(plain.p(spinors, a), p[a]), 1e-13) << a;
  }
}

/// With a reduction of one between all open spinors their Q is P of the open electrons alone.
TEST(StoredBuilder, QOfUnitReductionIsPOfTheOpenShells) {
  const BasisSet basis = smallBasis();
  const std::vector<int> open = {1, 0, 2, 1};
  auto spinors = test::randomSpinors(basis, {2, 1, 2, 1}, open, 9);
  const Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(4, 4);
  StoredFockBuilder stored(basis, 1);
  std::vector<BlockMatrix> p, q, openP, unused;
  stored.build(spinors, ones, p, q);
  for (int a = 0; a < 4; ++a) spinors[a].occupation.head(spinors[a].occupation.size() - open[a]).setZero();
  stored.build(spinors, ones, openP, unused);
  const auto list = openSpinors(spinors);
  ASSERT_EQ(q.size(), 4u);
  for (std::size_t i = 0; i < q.size(); ++i)
    EXPECT_LT(test::relativeDifference(openP[list[i].symmetry], q[i]), 1e-13) << i;
}

/// Enough pairs for several shares: the same digits for any number of threads.
TEST(StoredBuilder, DigitsDoNotDependOnTheThreads) {
  BasisSet basis;
  for (int a = 0; a < 3; ++a) {
    std::vector<double> exponents;
    for (int i = 0; i < 20; ++i) exponents.push_back(0.05 * (a + 1) * std::pow(2.2, i));
    basis.symmetries.push_back({Symmetry::fromIndex(a), exponents});
  }
  const std::vector<int> open = {0, 1, 1};
  const auto spinors = test::randomSpinors(basis, {2, 1, 2}, open, 4);
  const Eigen::MatrixXd reduction = test::randomReduction(open, 4);
  std::vector<BlockMatrix> p, q, others, othersQ;
  StoredFockBuilder(basis, 1).build(spinors, reduction, p, q);
  for (const int threads : {2, 5}) {
    StoredFockBuilder(basis, threads).build(spinors, reduction, others, othersQ);
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(test::relativeDifference(p[a], others[a]), 0.0) << threads;
    }
    for (std::size_t i = 0; i < q.size(); ++i)
      EXPECT_EQ(test::relativeDifference(q[i], othersQ[i]), 0.0) << threads;
  }
}

}  // namespace
}  // namespace prophet

#include "atoms/fock/super_matrix_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "atoms/fock/stored_builder.hpp"
#include "core/linalg/dense_kernels.hpp"

namespace prophet {
namespace {

BasisSet randomBasis(std::mt19937& random, int symmetries) {
  std::uniform_real_distribution<double> logExponent(-3, 14);
  BasisSet basis;
  for (int a = 0; a < symmetries; ++a) {
    std::vector<double> exponents(1 + random() % 6);
    for (double& zeta : exponents) zeta = std::exp(logExponent(random));
    basis.symmetries.push_back({Symmetry::fromIndex(a), exponents});
  }
  return basis;
}

PairIndex indexOf(const BasisSet& basis) {
  std::vector<int> sizes;
  for (const SymmetryBasis& s : basis.symmetries) sizes.push_back(s.size());
  return PairIndex(sizes);
}

/// What the rounding of an element's eight numbers is relative to: the sums of the sizes of their terms,
/// those of small components without their cancellation.
SuperMatrixElement sizeOf(Symmetry a, Primitive p, Primitive q, Symmetry b, Primitive r, Primitive s,
                          const ExchangeList& list) {
  for (Primitive* f : {&p, &q, &r, &s}) f->small2 = std::abs(f->small2);
  const SuperMatrixElement coulomb = superMatrixElement(a.l(), p, q, b.l(), r, s, {});
  SuperMatrixElement size = superMatrixElement(a.l(), p, q, b.l(), r, s, list);
  size.x1 = 2 * coulomb.x1 - size.x1;
  size.x8 = 2 * coulomb.x8 - size.x8;
  return size;
}

/// Up to f functions and up to l = 7; rows of any length.
TEST(SuperMatrixRows, AreTheSumsTermByTerm) {
  std::mt19937 random(3);
  ThreadPool pool(2);
  for (const int symmetries : {1, 2, 5, 7, 7, 7, 9, 15}) {
    SCOPED_TRACE(symmetries);
    const BasisSet basis = randomBasis(random, symmetries);
    const PairIndex index = indexOf(basis);
    const PrimitiveTable table = makePrimitiveTable(basis);
    const SuperMatrices expected = computeSuperMatrices(table, index, pool),
                        values = polynomialSuperMatrices(table, index, pool);
    const auto lists = exchangeLists(table.symmetries);
    const PairNumbering numbering = index.view();
    double worst = 0;
    for (std::size_t t = 0; t < expected.x[0].size(); ++t) {
      const std::int64_t row = numbering.row(static_cast<std::int64_t>(t));
      const FunctionPair i = numbering.functions(row),
                         j = numbering.functions(static_cast<std::int64_t>(t) - triangle(row));
      const Primitive *f = table.primitives.data() + table.offset[i.symmetry],
                      *g = table.primitives.data() + table.offset[j.symmetry];
      const SuperMatrixElement sizes =
          sizeOf(table.symmetries[i.symmetry], f[i.p], f[i.q], table.symmetries[j.symmetry], g[j.p], g[j.q],
                 lists[i.symmetry * symmetries + j.symmetry]);
      const double* size = &sizes.x1;
      for (int k = 0; k < 8; ++k) {
        const double error = std::abs(values.x[k].at(t) - expected.x[k][t]) / std::abs(size[k]);
        ASSERT_TRUE(error <= 1) << t;  // no not-a-number
        worst = std::max(worst, error);
      }
    }
    EXPECT_LT(worst, 5e-14);
  }
}

/// Every instruction set gives the same to rounding, and writes the columns that it is told to and no others.
TEST(SuperMatrixRows, InstructionSetsAgree) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> logExponent(-3, 10);
  const std::vector<Symmetry> symmetries = firstSymmetries(7);
  const auto polynomials = makePairPolynomials<5>(symmetries);
  const auto lists = exchangeLists(symmetries);
  constexpr std::int64_t kMatrixColumns = 40;
  std::vector<SuperMatrixRows<5>> fills = {superMatrixRowsBaseline<5>(), superMatrixRows<5>()};
#if defined(__x86_64__)
  if (supportsV3()) fills.push_back(superMatrixRowsV3<5>());
#endif
  for (int n = 0; n < 60; ++n) {
    const int a = static_cast<int>(random() % 7), b = static_cast<int>(random() % 7);
    const auto make = [&](int s) { return makePrimitive(symmetries[s], std::exp(logExponent(random))); };
    const Primitive p = make(a), q = make(a);
    std::vector<Primitive> r, s;
    std::vector<double> numbers[2][4];
    for (std::int64_t i = 0; i < kMatrixColumns + kElementGroup; ++i) {
      r.push_back(make(b));
      s.push_back(make(b));
      for (const auto& [to, f] : {std::pair{numbers[0], &r.back()}, {numbers[1], &s.back()}}) {
        to[0].push_back(f->zeta);
        to[1].push_back(f->norm);
        to[2].push_back(f->small0);
        to[3].push_back(f->small2);
      }
    }
    const auto view = [](const std::vector<double>* x) {
      return PrimitiveColumns{x[0].data(), x[1].data(), x[2].data(), x[3].data()};
    };
    const PairColumns columns{view(numbers[0]), view(numbers[1])};
    const std::int64_t first = static_cast<std::int64_t>(random() % 20),
                       end = first + 1 + static_cast<std::int64_t>(random() % 20);
    const auto& pair = polynomials[static_cast<std::size_t>(a * 7 + b)];
    for (const auto fill : fills) {
      std::vector<double> x[8];
      double* rows[8];
      for (int k = 0; k < 8; ++k) {
        x[k].assign(kMatrixColumns + kElementGroup, 7.0);
        rows[k] = x[k].data();
      }
      fill(pair, p, q, columns, first, end, rows);
      for (std::int64_t i = 0; i < kMatrixColumns + kElementGroup; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const SuperMatrixElement e = polynomialElement(pair, p, q, r[at], s[at]);
        const double* expected = &e.x1;
        const SuperMatrixElement sizes = sizeOf(symmetries[a], p, q, symmetries[b], r[at], s[at],
                                                lists[static_cast<std::size_t>(a * 7 + b)]);
        const double* size = &sizes.x1;
        for (int k = 0; k < 8; ++k) {
          if (i < first || i >= end) {
            EXPECT_EQ(x[k][at], 7.0);
          } else {
            EXPECT_NEAR(x[k][at], expected[k], 2e-14 * std::abs(size[k]));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace prophet

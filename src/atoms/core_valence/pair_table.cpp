#include "atoms/core_valence/pair_table.hpp"

#include <algorithm>

#include "atoms/angular/angular.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

constexpr Eigen::Index kCachedRows = 64;  // rows and columns, which stay in the nearest cache

}  // namespace

Eigen::MatrixXd sharedProduct(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, ThreadPool& pool) {
  Eigen::MatrixXd out(a.cols(), b.cols());
  overColumns(b.cols(), pool, [&](Eigen::Index first, Eigen::Index count) {
    productTN(a, b.middleCols(first, count), out.middleCols(first, count));
  });
  return out;
}

Eigen::MatrixXd sharedSymmetric(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, ThreadPool& pool) {
  const Eigen::Index n = a.cols();
  Eigen::MatrixXd out(n, n);
  overColumns(n, pool, [&](Eigen::Index first, Eigen::Index count) {
    const Eigen::Index below = n - first;
    productTN(a.rightCols(below), b.middleCols(first, count), out.block(first, first, below, count));
    for (Eigen::Index j = 0; j < count; ++j)
      out.row(first + j).tail(below - count) = out.col(first + j).tail(below - count).transpose();
  });
  return out;
}

void copyTransposed(const MatrixIn& from, MatrixOut to, ThreadPool& pool) {
  overColumns(to.cols(), pool, [&](Eigen::Index first, Eigen::Index count) {
    for (Eigen::Index i = 0; i < to.rows(); i += kCachedRows) {
      const Eigen::Index rows = std::min(kCachedRows, to.rows() - i);
      for (Eigen::Index j = first; j < first + count; j += kCachedRows) {
        const Eigen::Index columns = std::min(kCachedRows, first + count - j);
        to.block(i, j, rows, columns) = from.block(j, i, columns, rows).transpose();
      }
    }
  });
}

PairTable::PairTable(const ValenceSpace& space, std::vector<int> counts, Kind kind)
    : counts_(std::move(counts)), kind_(kind) {
  int mostJ = 0;
  for (int s = 0; s < symmetries(); ++s) {
    types_.push_back(space.type(s));
    mostJ = std::max(mostJ, space.type(s).twoJ());
  }
  largestK_ = mostJ;
  const int n = symmetries();
  firsts_.assign(usize(numbers()), std::vector<Eigen::Index>(usize(n * n), -1));
  sizes_.assign(usize(numbers()), 0);
  values_.resize(usize(numbers()));
  for (int k = 0; k <= largestK_; ++k)
    for (int a = 0; a < n; ++a)
      for (int c = 0; c < n; ++c) {
        const Symmetry sa = types_[usize(a)], sc = types_[usize(c)];
        const bool odd = (sa.l() + sc.l()) % 2 != 0;
        if (!triangle(sa, k, sc)) continue;
        if (kind == Kind::RadialIntegrals && (a > c || odd != (k % 2 != 0))) continue;
        const auto place = usize(number(k, odd));
        firsts_[place][usize(a * n + c)] = sizes_[place];
        sizes_[place] += static_cast<Eigen::Index>(count(a)) * count(c);
      }
}

PairTable::Rows PairTable::rows(int number, int a, int c) const {
  const int n = symmetries();
  if (kind_ == Kind::RadialIntegrals && a > c) {
    const Rows swapped = rows(number, c, a);
    return {swapped.first, swapped.stepC, swapped.stepA};
  }
  return {firsts_[usize(number)][usize(a * n + c)], 1, count(a)};
}

std::vector<PairTable::RowPair> PairTable::rowPairs(int number) const {
  std::vector<RowPair> list;
  for (int a = 0; a < symmetries(); ++a)
    for (int c = a; c < symmetries(); ++c) {
      const Rows own = rows(number, a, c), swapped = rows(number, c, a);
      if (own.first < 0) continue;
      const double sign = minusOneTo((types_[usize(c)].twoJ() - types_[usize(a)].twoJ()) / 2);
      for (int j = 0; j < count(c); ++j)
        for (int i = 0; i < (a == c ? j + 1 : count(a)); ++i)
          list.push_back({own.of(i, j), swapped.of(j, i), sign});
    }
  return list;
}

double PairTable::factor(int k, Symmetry a, Symmetry b, Symmetry c, Symmetry d) const {
  return kind_ == Kind::Multipoles ? 1 : reducedC(a, k, c) * reducedC(b, k, d);
}

PairPotentials pairPotentials(const ValenceSpace& space, const PairTable& table, int k, ThreadPool& pool) {
  const int number = PairTable::number(k, k % 2 != 0);
  const auto points = static_cast<Eigen::Index>(space.products.points.size());
  PairPotentials made{Eigen::MatrixXd(points, table.size(number)),
                      Eigen::MatrixXd(points, table.size(number))};
  std::vector<SpinorFunctions> functions;
  for (const ValenceFunctions& f : space.functions) functions.push_back(space.products.valuesOf(f));
  for (int a = 0; a < space.symmetries(); ++a)
    for (int c = 0; c < space.symmetries(); ++c) {
      const PairTable::Rows rows = table.rows(number, a, c);
      if (rows.first < 0 || rows.stepA != 1) continue;
      made.densities.middleCols(rows.first, table.count(a) * table.count(c)) = productsOf(
          lowestOf(functions[usize(a)], table.count(a)), lowestOf(functions[usize(c)], table.count(c)));
    }
  overColumns(made.densities.cols(), pool, [&](Eigen::Index first, Eigen::Index count) {
    made.potentials.middleCols(first, count) =
        space.products.potentials(k, made.densities.middleCols(first, count));
  });
  return made;
}

PairTable coulombTable(const ValenceSpace& space, ThreadPool& pool) {
  std::vector<int> counts;
  for (int s = 0; s < space.symmetries(); ++s) counts.push_back(space.count(s));
  PairTable table(space, counts, PairTable::Kind::RadialIntegrals);
  for (int k = 0; k <= table.largestK(); ++k) {
    const int number = PairTable::number(k, k % 2 != 0);
    if (table.size(number) == 0) continue;
    const PairPotentials p = pairPotentials(space, table, k, pool);
    table.values(number) = sharedSymmetric(p.densities, p.potentials, pool);
  }
  return table;
}

}  // namespace prophet

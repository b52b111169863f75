#include "atoms/valence/pair_table.hpp"

#include <algorithm>

#include "atoms/angular/angular.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

constexpr Eigen::Index kColumns = 256;  // of a product that are made at a time

/// Calls task(first, count) for stretches of columns.
template <class Task>
void overColumns(Eigen::Index columns, ThreadPool& pool, const Task& task) {
  const auto parts = static_cast<int>((columns + kColumns - 1) / kColumns);
  pool.forEach(parts, [&](int part, int) {
    const Eigen::Index first = part * kColumns;
    task(first, std::min(kColumns, columns - first));
  });
}

}  // namespace

Eigen::MatrixXd sharedProduct(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, ThreadPool& pool) {
  Eigen::MatrixXd out(a.cols(), b.cols());
  overColumns(b.cols(), pool, [&](Eigen::Index first, Eigen::Index count) {
    productTN(a, b.middleCols(first, count), out.middleCols(first, count));
  });
  return out;
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

double PairTable::factor(int k, Symmetry a, Symmetry b, Symmetry c, Symmetry d) const {
  return kind_ == Kind::Multipoles ? 1 : reducedC(a, k, c) * reducedC(b, k, d);
}

PairTable coulombTable(const ValenceSpace& space, ThreadPool& pool) {
  std::vector<int> counts;
  for (int s = 0; s < space.symmetries(); ++s) counts.push_back(space.count(s));
  PairTable table(space, counts, PairTable::Kind::RadialIntegrals);
  const OrbitalSpace& orbitals = space.orbitals;
  for (int k = 0; k <= table.largestK(); ++k) {
    const int place = PairTable::number(k, k % 2 != 0);
    if (table.size(place) == 0) continue;
    Eigen::MatrixXd densities(orbitals.points(), table.size(place));
    for (int a = 0; a < space.symmetries(); ++a)
      for (int c = a; c < space.symmetries(); ++c) {
        const PairTable::Rows rows = table.rows(place, a, c);
        if (rows.first < 0) continue;
        for (int i = 0; i < counts[usize(c)]; ++i)
          densities.middleCols(rows.of(0, i), counts[usize(a)]) = space.densities(c, i, a, counts[usize(a)]);
      }
    Eigen::MatrixXd potentials(densities.rows(), densities.cols());
    overColumns(densities.cols(), pool, [&](Eigen::Index first, Eigen::Index count) {
      potentials.middleCols(first, count) = orbitals.potentials(k, densities.middleCols(first, count));
    });
    table.values(place) = sharedProduct(densities, potentials, pool);
  }
  return table;
}

}  // namespace prophet

#include "atoms/valence/pair_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/eigen_solver.hpp"
#include "core/linalg/lowest_eigenpairs.hpp"

namespace prophet {
namespace {

constexpr Eigen::Index kSmallMatrix = 400;  // rows of a matrix whose eigenvectors are found at once
constexpr double kApartFromPoles =
    1e-7;  // hartree, of the preconditioner's poles from eigenvectors among the states
constexpr double kPairResidual = 1e-9;
constexpr int kMostPairIterations = 300;

/// {l1 s j1; l2 s j2; L S J}, every argument given as twice its value.
double wigner9j(const std::array<int, 9>& j) {
  double sum = 0;
  for (int x = 0; x <= j[0] + j[8] + j[1] + j[5] + 2; ++x)
    sum += (x % 2 == 0 ? 1 : -1) * (x + 1) * wigner6j(j[0], j[3], j[6], j[7], j[8], x) *
           wigner6j(j[1], j[4], j[7], j[3], x, j[5]) * wigner6j(j[2], j[5], j[8], x, j[0], j[1]);
  return sum;
}

double normOf(bool equal) { return equal ? std::sqrt(0.5) : 1; }

/// out(a + na b, c + nc d) += sum over k of factor X^k(ab,cd), where the two spinors c and d stand in the
/// columns as c + strideC and d + strideD say.
void addMultipoles(const PairTable& table, int twoJ, double sign, int a, int b, int c, int d,
                   const ValenceSpace& space, bool swapped, Eigen::MatrixXd& out) {
  const Symmetry sa = space.type(a), sb = space.type(b), sc = space.type(c), sd = space.type(d);
  const bool odd = (sa.l() + sc.l()) % 2 != 0;
  if (odd != ((sb.l() + sd.l()) % 2 != 0)) return;
  const int na = table.count(a), nb = table.count(b), nc = table.count(c), nd = table.count(d);
  const Eigen::Index rowsOfA = space.count(a);
  // Columns stand in the order of the pair (c, d), or of (d, c) where it is swapped.
  const Eigen::Index strideC = swapped ? space.count(d) : 1, strideD = swapped ? 1 : space.count(c);
  for (int k = 0; k <= table.largestK(); ++k) {
    const int number = PairTable::number(k, odd);
    const PairTable::Rows first = table.rows(number, a, c), second = table.rows(number, b, d);
    if (first.first < 0 || second.first < 0) continue;
    const double factor = sign * pairCoupling(k, twoJ, sa, sb, sc, sd) * table.factor(k, sa, sb, sc, sd);
    if (factor == 0) continue;
    const Eigen::MatrixXd& values = table.values(number);
    for (int j = 0; j < nd; ++j)
      for (int i = 0; i < nc; ++i) {
        double* column = out.col(strideC * i + strideD * j).data();
        for (int q = 0; q < nb; ++q) {
          const double* source = values.col(second.of(q, j)).data() + first.of(0, i);
          double* target = column + rowsOfA * q;
          for (int p = 0; p < na; ++p) target[p] += factor * source[first.stepA * p];
        }
      }
  }
}

}  // namespace

double couplingOfLS(Symmetry first, Symmetry second, int l, int s, int twoJ) {
  return std::sqrt(first.degeneracy() * second.degeneracy() * (2 * l + 1.0) * (2 * s + 1.0)) *
         wigner9j({2 * first.l(), 1, first.twoJ(), 2 * second.l(), 1, second.twoJ(), 2 * l, 2 * s, twoJ});
}

PairSpace::PairSpace(const ValenceSpace& space, int twoJ, bool odd) : space_(space), twoJ_(twoJ), odd_(odd) {
  for (int a = 0; a < space.symmetries(); ++a)
    for (int b = a; b < space.symmetries(); ++b) {
      const Symmetry sa = space.type(a), sb = space.type(b);
      if (((sa.l() + sb.l()) % 2 != 0) != odd || twoJ > sa.twoJ() + sb.twoJ() ||
          twoJ < std::abs(sa.twoJ() - sb.twoJ()))
        continue;
      Group group{a, b, std::vector<Eigen::Index>(usize(space.count(a) * space.count(b)), -1)};
      for (int j = 0; j < space.count(b); ++j)
        for (int i = 0; i < space.count(a); ++i) {
          // Two electrons of one spinor have even J.
          if (a == b && (i > j || (i == j && twoJ % 4 != 0))) continue;
          group.of[usize(i + space.count(a) * j)] = size();
          pairs_.push_back({space.first[usize(a)] + i, space.first[usize(b)] + j});
        }
      groups_.push_back(std::move(group));
    }
}

Eigen::MatrixXd PairSpace::interactionBetween(const ValenceHamiltonian& h, const Group& bra, const Group& ket,
                                              const Eigen::MatrixXd& ofBra,
                                              const Eigen::MatrixXd& ofKet) const {
  const Symmetry sc = space_.type(ket.a), sd = space_.type(ket.b);
  const double exchange = -minusOneTo((sc.twoJ() + sd.twoJ() - twoJ_) / 2);
  const int nc = space_.count(ket.a), nd = space_.count(ket.b), na = space_.count(bra.a);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(bra.of.size()), nc * nd);
  for (const PairTable* table : h.interactions) {
    addMultipoles(*table, twoJ_, 1, bra.a, bra.b, ket.a, ket.b, space_, false, out);
    addMultipoles(*table, twoJ_, exchange, bra.a, bra.b, ket.b, ket.a, space_, true, out);
  }
  if (h.holes == nullptr) return out;
  const int va = space_.screened(bra.a), vb = space_.screened(bra.b), vc = space_.screened(ket.a),
            vd = space_.screened(ket.b);
  const Eigen::MatrixXd byHoles = h.holes->elements(twoJ_, bra.a, bra.b, ofBra, ket.a, ket.b, ofKet);
  for (int d = 0; d < vd; ++d)
    for (int c = 0; c < vc; ++c)
      for (int b = 0; b < vb; ++b)
        for (int a = 0; a < va; ++a) out(a + na * b, c + nc * d) += byHoles(a + va * b, c + vc * d);
  return out;
}

Eigen::MatrixXd PairSpace::hamiltonian(const ValenceHamiltonian& h, ThreadPool& pool,
                                       bool interactionOnly) const {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size(), size());
  std::vector<Eigen::MatrixXd> ofHoles(groups_.size());
  if (h.holes != nullptr)
    pool.forEach(static_cast<int>(groups_.size()), [&](int i, int) {
      ofHoles[usize(i)] = h.holes->coupled(twoJ_, groups_[usize(i)].a, groups_[usize(i)].b);
    });
  std::vector<std::pair<std::size_t, std::size_t>> tasks;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    for (std::size_t j = i; j < groups_.size(); ++j) tasks.emplace_back(i, j);
  pool.forEach(static_cast<int>(tasks.size()), [&](int task, int) {
    const auto& [first, second] = tasks[usize(task)];
    const Group &bra = groups_[first], &ket = groups_[second];
    const Eigen::MatrixXd block = interactionBetween(h, bra, ket, ofHoles[first], ofHoles[second]);
    for (std::size_t j = 0; j < ket.of.size(); ++j)
      for (std::size_t i = 0; i < bra.of.size(); ++i) {
        const Eigen::Index row = bra.of[i], column = ket.of[j];
        if (row < 0 || column < 0) continue;
        const Pair p = pairs_[usize(row)], q = pairs_[usize(column)];
        matrix(row, column) = normOf(p.a == p.b) * normOf(q.a == q.b) *
                              block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        matrix(column, row) = matrix(row, column);
      }
  });
  if (interactionOnly) return matrix;
  const auto single = [&](int a, int c) {
    const ValenceSpinor &x = space_.spinors[usize(a)], &y = space_.spinors[usize(c)];
    if (x.symmetry != y.symmetry) return 0.0;
    const int first = space_.first[usize(x.symmetry)];
    return h.oneBody[usize(x.symmetry)](a - first, c - first);
  };
  for (Eigen::Index j = 0; j < size(); ++j)
    for (Eigen::Index i = 0; i < size(); ++i) {
      const Pair p = pairs_[usize(i)], q = pairs_[usize(j)];
      if (p.a != q.a && p.b != q.b && p.a != q.b && p.b != q.a) continue;
      const double exchange = -minusOneTo(
          (space_.spinors[usize(q.a)].type.twoJ() + space_.spinors[usize(q.b)].type.twoJ() - twoJ_) / 2);
      double sum = 0;
      if (p.b == q.b) sum += single(p.a, q.a);
      if (p.a == q.a) sum += single(p.b, q.b);
      if (p.b == q.a) sum += exchange * single(p.a, q.b);
      if (p.a == q.b) sum += exchange * single(p.b, q.a);
      matrix(i, j) += normOf(p.a == p.b) * normOf(q.a == q.b) * sum;
    }
  return matrix;
}

PairStates lowestPairStates(const Eigen::MatrixXd& h, Eigen::Index count, ThreadPool& pool) {
  count = std::min(count, h.rows());
  PairStates states;
  if (count == 0) return states;
  if (h.rows() <= kSmallMatrix) {
    Eigen::MatrixXd copy = h;
    EigenSolver().solve(copy, 0, static_cast<int>(count), states.values, states.vectors);
    return states;
  }
  std::vector<Eigen::Index> order(usize(h.rows()));
  std::iota(order.begin(), order.end(), 0);
  const Eigen::Index size = std::min<Eigen::Index>(h.rows(), 10 * count + 60);
  std::partial_sort(order.begin(), order.begin() + size, order.end(),
                    [&](Eigen::Index a, Eigen::Index b) { return h(a, a) < h(b, b); });
  order.resize(usize(size));
  const SymmetricEigen small(h(order, order));
  const Eigen::Index starts = std::min(size, count + 8);
  Eigen::MatrixXd start = Eigen::MatrixXd::Zero(h.rows(), starts);
  for (Eigen::Index i = 0; i < size; ++i)
    start.row(order[usize(i)]) = small.eigenvectors().row(i).leftCols(starts);
  // There are few vectors; the matrix, which is symmetric, is what can be shared out.
  const SymmetricOperator matrix{h.diagonal().array() + kApartFromPoles,
                                 [&](const Eigen::Ref<const Eigen::MatrixXd>& vectors) -> Eigen::MatrixXd {
                                   return sharedProduct(vectors, h, pool).transpose();
                                 }};
  LowestEigenpairs lowest = lowestEigenpairs(
      matrix, start, count, {2 * count + 8, 8 * count + 40, kMostPairIterations, kPairResidual});
  if (!lowest.found)
    throw Error(
        fmt::format("core-valence levels: Davidson's method has not found {} states among {}; ask for "
                    "fewer of them (roots)",
                    count, h.rows()));
  return {std::move(lowest.values), std::move(lowest.vectors)};
}

Eigen::MatrixXd reducedElements(const ValenceSpace& space, int k, const Eigen::MatrixXd& reduced,
                                const PairSpace& bra, const Eigen::MatrixXd& braVectors, const PairSpace& ket,
                                const Eigen::MatrixXd& ketVectors) {
  const auto twoJ = [&](int a) { return space.spinors[usize(a)].type.twoJ(); };
  // The operator acts on the first electron of antisymmetric states, twice; the second one looks on.
  // Pairs of the bra by the spinor that looks on: (other spinor, row, sign and norm).
  struct Entry {
    int moved = 0;
    Eigen::Index row = 0;
    double factor = 0;
  };
  const auto byOnlooker = [&](const PairSpace& pairs) {
    std::vector<std::vector<Entry>> lists(space.spinors.size());
    for (Eigen::Index i = 0; i < pairs.size(); ++i) {
      const auto [a, b] = pairs.pairs()[usize(i)];
      // {ab} = N (|ab> - (-1)^(ja+jb-J) |ba>).
      const double norm = a == b ? 0.5 : std::sqrt(0.5);
      lists[usize(b)].push_back({a, i, norm});
      lists[usize(a)].push_back({b, i, -norm * minusOneTo((twoJ(a) + twoJ(b) - pairs.twoJ()) / 2)});
    }
    return lists;
  };
  const auto bras = byOnlooker(bra), kets = byOnlooker(ket);
  const double dimensions = std::sqrt((bra.twoJ() + 1.0) * (ket.twoJ() + 1.0));
  std::map<std::array<int, 3>, double> kept;
  Eigen::MatrixXd applied = Eigen::MatrixXd::Zero(bra.size(), ketVectors.cols());
  for (std::size_t on = 0; on < space.spinors.size(); ++on)
    for (const Entry& x : bras[on])
      for (const Entry& y : kets[on]) {
        const double element = reduced(x.moved, y.moved);
        if (element == 0) continue;
        const std::array<int, 3> key{twoJ(x.moved), twoJ(y.moved), space.spinors[on].type.twoJ()};
        auto [place, isNew] = kept.try_emplace(key, 0);
        if (isNew)
          place->second = minusOneTo((key[0] + key[2] + ket.twoJ() + 2 * k) / 2) * dimensions *
                          wigner6j(key[0], bra.twoJ(), key[2], ket.twoJ(), key[1], 2 * k);
        applied.row(x.row) += 2 * x.factor * y.factor * place->second * element * ketVectors.row(y.row);
      }
  return braVectors.transpose() * applied;
}

}  // namespace prophet

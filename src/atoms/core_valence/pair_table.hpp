#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "atoms/core_valence/valence_space.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {

/// Multipoles X^k(ab,cd) of a scalar operator of two valence electrons,
///   <ab|g|cd> = sum_k X^k(ab,cd) sum_q (-1)^q w(a k q c) w(b k -q d),  w(a k q c) = (-1)^(ja-ma) 3j(ja k jc;
///   -ma q mc),
/// as matrices with a row for (a, c) and a column for (b, d); those of both parities of l_a + l_c + k apart.
class PairTable {
 public:
  /// Coulomb's radial integrals R^k are those of a and c in either order, and reduced elements of C^k
  /// multiply them; multipoles have rows for both orders.
  enum class Kind { RadialIntegrals, Multipoles };

  /// Without values. `counts`: spinors of each symmetry that have rows, the lowest ones.
  PairTable(const ValenceSpace& space, std::vector<int> counts, Kind kind);

  int count(int symmetry) const { return counts_[usize(symmetry)]; }
  int symmetries() const { return static_cast<int>(counts_.size()); }
  int largestK() const { return largestK_; }
  /// Matrices are numbered by k and by whether l_a + l_c is odd.
  static int number(int k, bool odd) { return 2 * k + (odd ? 1 : 0); }
  int numbers() const { return 2 * (largestK_ + 1); }
  /// Row of the first spinors of symmetries a and c, in whose order the rows of (a, c) are: those of a are
  /// next to each other, those of c `count(a)` apart, or the other way round; -1: there are none.
  struct Rows {
    Eigen::Index first = -1, stepA = 0, stepC = 0;
    Eigen::Index of(int a, int c) const { return first + stepA * a + stepC * c; }
  };
  Rows rows(int number, int a, int c) const;
  /// A row (a, c) that does not come after (c, a), that one, and (-1)^(jc-ja).
  struct RowPair {
    Eigen::Index row = 0, swapped = 0;
    double sign = 1;
  };
  /// All of a number, of Multipoles.
  std::vector<RowPair> rowPairs(int number) const;
  Eigen::Index size(int number) const { return sizes_[usize(number)]; }
  Eigen::MatrixXd& values(int number) { return values_[usize(number)]; }
  const Eigen::MatrixXd& values(int number) const { return values_[usize(number)]; }

  /// What values are multiplied by to be multipoles, between these symmetries.
  double factor(int k, Symmetry a, Symmetry b, Symmetry c, Symmetry d) const;

 private:
  std::vector<Symmetry> types_;
  std::vector<int> counts_;
  Kind kind_;
  int largestK_ = 0;
  std::vector<std::vector<Eigen::Index>> firsts_;  ///< [number][a * symmetries + c]
  std::vector<Eigen::Index> sizes_;
  std::vector<Eigen::MatrixXd> values_;
};

/// Whether a multipole of rank k exists between two symmetries, whatever the parity.
inline bool triangle(Symmetry a, int k, Symmetry c) {
  return 2 * k >= std::abs(a.twoJ() - c.twoJ()) && 2 * k <= a.twoJ() + c.twoJ();
}

/// R^k of the Coulomb repulsion between all valence spinors.
PairTable coulombTable(const ValenceSpace& space, ThreadPool& pool);

/// Products of two valence spinors and their potentials of rank k at ValenceSpace::products, a column for
/// each row of the table that a Coulomb integral of this rank has.
struct PairPotentials {
  Eigen::MatrixXd densities, potentials;
};
PairPotentials pairPotentials(const ValenceSpace& space, const PairTable& table, int k, ThreadPool& pool);

// Tables may fill gigabytes: all that takes time is shared out among the threads.

/// Calls task(first, count) for stretches of columns, which are short enough for triangles of some thousand
/// columns to be shared out evenly.
template <class Task>
void overColumns(Eigen::Index columns, ThreadPool& pool, const Task& task) {
  constexpr Eigen::Index kColumns = 96;
  const auto parts = static_cast<int>((columns + kColumns - 1) / kColumns);
  pool.forEach(parts, [&](int part, int) {
    const Eigen::Index first = part * kColumns;
    task(first, std::min(kColumns, columns - first));
  });
}
/// a^T b.
Eigen::MatrixXd sharedProduct(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, ThreadPool& pool);
/// a^T b where it is symmetric: a half of it is computed.
Eigen::MatrixXd sharedSymmetric(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, ThreadPool& pool);
/// to = from^T; `to` has the shape of that.
void copyTransposed(const MatrixIn& from, MatrixOut to, ThreadPool& pool);

}  // namespace prophet

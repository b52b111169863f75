#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/core_valence/pair_table.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

class CoreBreit;

/// Sigma_2 without its terms of two holes: what one electron of the core, excited and fallen back, adds to
/// the interaction of two valence electrons in second order (screening, its exchanges and boxes), as
/// multipoles S^k between the screened spinors of a space:
///   S^k(vw,xy) = sum_an (-1)^(jn-ja)/[k] [W^k(vn,xa) W^k(aw,ny) + W^k(va,xn) W^k(nw,ay)]/(e_a - e_n),
/// W = X - exchange as a multipole. Each is one product of two matrices for all spinors of a rank and parity.
/// Source: V. A. Dzuba, V. V. Flambaum and M. G. Kozlov, Phys. Rev. A 54 (1996) 3948; the coupled form:
/// docs/theory/core-valence.md.
PairTable ringTable(const ValenceSpace& space, ThreadPool& pool, const Checkpoint& checkpoint = {});

/// Sets S^k of one number from W^k(vn,xa) ([k] (e_n - e_a))^(-1/2), which have a row for each excitation and
/// a column for each (v, x).
void setRings(const Eigen::MatrixXd& factors, int number, PairTable& table, ThreadPool& pool);

/// Smallest e_n - e_a of an excitation of a correlated core spinor to one that valence electrons may have,
/// hartree.
double smallestExcitation(const ValenceSpace& space);

/// The terms of Sigma_2 with two holes: two core electrons take the places of the valence electrons.
class HolePairs {
 public:
  /// `added`: interactions beside the Coulomb repulsion; they must stay as long.
  HolePairs(const ValenceSpace& space, ThreadPool& pool, std::vector<const CoreBreit*> added = {});

  /// <(vw)J|1/r|(ab)J> - (-1)^(ja+jb-J) <(vw)J|1/r|(ba)J>: a row for each v (fastest) and w, screened spinors
  /// of these symmetries, a column for each pair of holes of this J and parity; where lines have factors, of
  /// both squares that `elements` is a difference of.
  Eigen::MatrixXd coupled(int twoJ, int v, int w) const;
  /// <(vw)J|D|(xy)J> - (-1)^(jx+jy-J) <(vw)J|D|(yx)J>, not normalised, of `coupled` elements of (vw) and
  /// (xy), whose rows are its rows and columns. Denominators: e_a + e_b less half the sum of the lowest
  /// energies of the four symmetries.
  Eigen::MatrixXd elements(int twoJ, int v, int w, const Eigen::MatrixXd& bra, int x, int y,
                           const Eigen::MatrixXd& ket) const;

 private:
  /// The first not after the second.
  struct Pair {
    std::size_t a = 0, b = 0;
  };
  std::vector<Pair> pairs(int twoJ, bool odd) const;
  Symmetry typeOf(std::size_t hole) const { return space_.type(space_.holes[hole].symmetry); }

  const ValenceSpace& space_;
  std::vector<const CoreBreit*> added_;
  std::vector<RankFactors> squares_;
  std::vector<int> first_;               ///< of each symmetry's screened spinors among all of them
  std::vector<Eigen::MatrixXd> radial_;  ///< [k]: R^k(va,wb), rows (a, v) and columns (b, w), v fastest
};

}  // namespace prophet

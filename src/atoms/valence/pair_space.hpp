#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/core_valence/core_screening.hpp"

namespace prophet {

/// Coefficient of <(l1 s)j1 (l2 s)j2; J|(l1 l2)L (s s)S; J>, angular momenta as twice their values but for l.
double couplingOfLS(Symmetry first, Symmetry second, int l, int s, int twoJ);

/// The Hamiltonian of electrons above a closed core, between their spinors.
struct ValenceHamiltonian {
  const ValenceSpace& space;
  std::vector<Eigen::MatrixXd> oneBody;  ///< of each symmetry, hartree: energies and Sigma_1
  /// What are added up to the multipoles of the interaction; the interaction of two electrons is symmetric.
  std::vector<const PairTable*> interactions;
  const HolePairs* holes = nullptr;  ///< of Sigma_2; nullptr: without
};

/// Antisymmetric states of two electrons with one J and parity: all pairs of valence spinors.
class PairSpace {
 public:
  PairSpace(const ValenceSpace& space, int twoJ, bool odd);

  int twoJ() const { return twoJ_; }
  bool odd() const { return odd_; }
  /// Two spinors, the first not after the second.
  struct Pair {
    int a = 0, b = 0;  ///< of ValenceSpace::spinors
  };
  const std::vector<Pair>& pairs() const { return pairs_; }
  Eigen::Index size() const { return static_cast<Eigen::Index>(pairs_.size()); }

  /// <{ab}J|H|{cd}J> between normalised pairs, hartree: symmetric. With `interactionOnly` without the
  /// energies of single electrons.
  Eigen::MatrixXd hamiltonian(const ValenceHamiltonian& h, ThreadPool& pool,
                              bool interactionOnly = false) const;

 private:
  struct Group {
    int a = 0, b = 0;              ///< symmetries, the first not after the second
    std::vector<Eigen::Index> of;  ///< pair number of first spinor + count(a) * second spinor; -1: none
  };
  /// The interaction between the pairs of two groups, antisymmetrised but not normalised: rows and columns as
  /// Group::of. `ofBra`, `ofKet`: HolePairs::coupled of the groups, where there are holes.
  Eigen::MatrixXd interactionBetween(const ValenceHamiltonian& h, const Group& bra, const Group& ket,
                                     const Eigen::MatrixXd& ofBra, const Eigen::MatrixXd& ofKet) const;

  const ValenceSpace& space_;
  int twoJ_;
  bool odd_;
  std::vector<Group> groups_;
  std::vector<Pair> pairs_;
};

struct PairStates {
  Eigen::VectorXd values;   ///< ascending, hartree
  Eigen::MatrixXd vectors;  ///< rows x values
};
/// The lowest eigenpairs of a symmetric matrix: all at once where it is small, else by Davidson's method with
/// residuals below 1e-9 hartree. Throws Error where it finds none.
PairStates lowestPairStates(const Eigen::MatrixXd& hamiltonian, Eigen::Index count, ThreadPool& pool);

/// The reduced element <{ab}J||T||{cd}J'> of a one-electron operator of rank k, from those between spinors,
/// `reduced` (a row for each spinor of the space), between vectors over two spaces of pairs: bra x ket.
Eigen::MatrixXd reducedElements(const ValenceSpace& space, int k, const Eigen::MatrixXd& reduced,
                                const PairSpace& bra, const Eigen::MatrixXd& braVectors, const PairSpace& ket,
                                const Eigen::MatrixXd& ketVectors);

}  // namespace prophet

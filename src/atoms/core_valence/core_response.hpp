#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/core_valence/excited_spinors.hpp"
#include "atoms/core_valence/pair_table.hpp"

namespace prophet {

/// The polarisation of a closed core by an electron outside of it, to all orders of the random-phase
/// approximation: excitations a -> n of one rank and parity interact by
///
///   A(an,bm) = (e_n - e_a) + (-1)^(jn-ja)/[k] W^k(bn,ma),   B(an,bm) = W^k(ba,mn)/[k],
///
/// which screens the field of the electron (rings) and lets the excited electron feel the hole that it left.
/// With modes (X, Y) of energies omega of these equations in place of the excitations, terms of second order
/// become
///
///   Sigma_1(v,w): 1/[v] sum_k 1/[k] sum_m X^k(v m, mode) W^k(w m, mode)/(e_0 - e_m - omega), and
///                 the same with e_0 - e_b + omega for spinors b of the core in place of m;
///   S^k(vw,xy):   -1/[k] sum X^k(v x, mode) [W^k(w y, mode) + W^k(y w, mode)]/omega,
///
/// both made symmetric; this class gives what they differ by from those of excitations that do not interact.
/// One of the two interactions with the loop is without exchange: exchange of the electron outside with the
/// excited one is of the size of their repulsion, which is not summed. Excitations are those of spinors that
/// are not too deep (kDeepest) to `excited` ones. Source: docs/theory/core-valence.md.
class CoreResponse {
 public:
  /// Space and excitations must live as long. Throws NotConvergedError where the core is not stable against
  /// its own excitations.
  CoreResponse(const ValenceSpace& space, const CoreExcitations& excitations, ThreadPool& pool);

  /// What it adds to Sigma_1 between the spinors of ValenceSpace::withCore of a symmetry.
  Eigen::MatrixXd selfEnergy(int symmetry) const;
  /// Adds to S^k.
  void addTo(PairTable& rings) const;
  /// Static polarisability of rank k of the core, bohr^(2k + 1), in these excitations.
  double polarisability(int k) const;

 private:
  /// Excitations of one spinor of the core to one symmetry.
  struct Channel {
    std::size_t hole = 0, particle = 0;
    Eigen::Index first = 0;
  };
  struct Rank {
    std::vector<Channel> channels;
    Eigen::VectorXd gaps, modes;
    Eigen::MatrixXd sum, difference;  ///< X + Y and X - Y, a column for each mode
    Eigen::Index size() const { return gaps.size(); }
  };
  /// Between bra and ket (rows v, x, v fastest) and the excitations of one rank: X^k(va,xn), and sums and
  /// differences of W^k(va,xn) and (-1)^(jn-ja) W^k(vn,xa).
  struct Vertices {
    int k = 0;
    Eigen::MatrixXd direct, plus, minus;
  };

  void makeRanks();
  void solve(Rank& rank, Eigen::MatrixXd sum, Eigen::MatrixXd difference) const;
  /// Functions with what is computed once for all that they meet.
  struct Dressed {
    SpinorFunctions at;  ///< at the points of products_
    /// [hole][l]: weights times potentials of their products with a hole, at these points.
    std::vector<std::vector<Eigen::MatrixXd>> withHoles;
  };
  Dressed dressed(const SpinorFunctions& functions) const;
  /// For every rank.
  std::vector<Vertices> vertices(const Dressed& bra, const Dressed& ket, ThreadPool& pool) const;
  /// The share of excitations with these particles, or with these holes.
  Eigen::MatrixXd selfEnergyWith(const Dressed& functions, double energy, const Dressed& others,
                                 const Eigen::VectorXd& energies, bool areHoles) const;

  const ValenceSpace& space_;
  ThreadPool& pool_;
  const ProductPoints& products_;
  const std::vector<ExcitedSpinors>& particles_;
  std::vector<ExcitedSpinors> holes_;
  std::vector<Dressed> dressedHoles_, dressedParticles_;
  std::vector<Rank> ranks_;  ///< [k], of the parity of k
};

}  // namespace prophet

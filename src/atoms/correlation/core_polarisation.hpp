#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/spinor_operators.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// What an oscillating field does to closed shells and they to electrons outside of them, to all orders of
/// the random-phase approximation (time-dependent Dirac-Fock of the core alone, V^(N-1)). An operator t with
/// frequency omega becomes
///
///   t'_vw = t_vw + sum_an [<vn||wa> t'_an/(e_a - e_n - omega) + <va||wn> t'_na/(e_a - e_n + omega)],
///
/// a closed and n virtual spinors, v and w any ones; t' between a and n solves the same equation. Coulomb
/// interaction alone, virtual spinors of positive energy alone. Source: W. R. Johnson, Atomic Structure
/// Theory (2007), section 8.5; over spherical spinors: docs/theory/correlation.md.
class CorePolarisation {
 public:
  /// `omega`: energy of the bra less that of the ket, for elements between states of such energies, hartree;
  /// 0: static. The space must live as long and have closed shells alone. Throws Error for open shells, where
  /// the operator leads from no closed spinor to a virtual one of the space, and for a frequency that excites
  /// the core itself; NotConvergedError where the closed shells are not stable.
  CorePolarisation(const OrbitalSpace& space, SpinorOperator bare, double omega, ThreadPool& pool,
                   const Checkpoint& checkpoint = {});

  /// Reduced elements of t' - t between any functions at the points of the space, which the operator couples.
  Eigen::MatrixXd correction(const SpinorFunctions& bra, const SpinorFunctions& ket) const;
  /// Those of t'.
  Eigen::MatrixXd dressed(const SpinorFunctions& bra, const SpinorFunctions& ket) const;
  /// -sum t_an (t'_an/(e_a - e_n - omega) + ...)/(2k + 1): of r C^k the polarisability of the closed shells,
  /// bohr^(2k + 1).
  double susceptibility() const { return susceptibility_; }
  /// Whether spinors of the space's largest l keep electrons of the core from some excitation.
  bool isTruncated() const { return truncated_; }
  int iterations() const { return iterations_; }

 private:
  /// Excitations of one closed spinor to virtual spinors of one symmetry. `absorbed` are amplitudes of t'_an,
  /// `emitted` those of t'_na times (-1)^(jn-ja), of each virtual spinor.
  struct Channel {
    int core = 0, column = 0, symmetry = 0;  ///< symmetries by index
    Eigen::Index first = 0, count = 0;       ///< in vectors over all excitations
  };
  /// A closed spinor, of which channels [first, end) are.
  struct Closed {
    int symmetry = 0, column = 0;
    std::size_t first = 0, end = 0;
  };
  /// Sums of the virtual spinors with amplitudes: a column for each channel.
  struct Changes {
    Eigen::MatrixXd large, small;
  };
  /// Functions whose products with v are elements between v and w.
  struct FieldOn {
    Eigen::VectorXd large, small;
  };

  Symmetry symmetryOf(int s) const { return space_.symmetries()[static_cast<std::size_t>(s)].symmetry; }
  /// What the operator absorbs and what it emits, of all amplitudes.
  std::array<Changes, 2> changesOf(const Eigen::VectorXd& amplitudes, ThreadPool& pool) const;
  Eigen::VectorXd directPotential(const Changes& absorbed, const Changes& emitted) const;
  /// The potentials of the products of one function with every closed spinor: a matrix for each of these,
  /// whose columns are of the ranks that are possible, ascending.
  std::vector<Eigen::MatrixXd> potentialsWithClosed(const Eigen::VectorXd& large,
                                                    const Eigen::VectorXd& small, Symmetry ket) const;
  /// `withClosed`: potentialsWithClosed of the same function.
  std::vector<FieldOn> fieldsOn(const Eigen::VectorXd& large, const Eigen::VectorXd& small, Symmetry ket,
                                const std::vector<Symmetry>& bras, const Eigen::VectorXd& direct,
                                const std::vector<Eigen::MatrixXd>& withClosed, const Changes& absorbed,
                                const Changes& emitted) const;
  /// `between`: potentialsWithClosed of each closed spinor.
  Eigen::VectorXd coupled(const Eigen::VectorXd& amplitudes,
                          const std::vector<std::vector<Eigen::MatrixXd>>& between, ThreadPool& pool) const;
  void solve(ThreadPool& pool, const Checkpoint& checkpoint);

  const OrbitalSpace& space_;
  SpinorOperator bare_;
  double omega_;
  std::vector<Channel> channels_;
  std::vector<Closed> closed_;
  Eigen::Index count_ = 0;
  Eigen::VectorXd inverse_;     ///< 1/(e_a - e_n - omega), then with + omega
  Eigen::VectorXd bareCore_;    ///< t_an, then (-1)^(jn-ja) t_na
  Changes absorbed_, emitted_;  ///< of the solution
  double susceptibility_ = 0;
  bool truncated_ = false;
  int iterations_ = 0;
};

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <utility>
#include <vector>

#include "atoms/core_valence/excited_spinors.hpp"

namespace prophet {

/// What operators of one electron have of the excitations that Sigma_1 stands for: an electron v outside of a
/// closed core is for some time two electrons m, n and a hole a, or one electron and two holes less. The
/// operator acts on these (structural radiation),
///
///   dSigma_vw = Sigma_1 with t' once in each of its inner lines, at the energies E_v and E_w on either side,
///
/// and v is alone for that much less of the time, d = -dSigma_1/dE (normalisation):
///
///   t_vw -> t'_vw + dSigma_vw - 1/2 (d t' + t' d)_vw.
///
/// Both are of third order and of one valence electron; of two and more it is the part in which the others
/// are spectators. Lines of the core and of particles are dressed by the core's response as t' itself. For
/// operators that commute with the interaction they cancel. Source: W. R. Johnson, M. Idrees and J.
/// Sapirstein, Phys. Rev. A 35, 3218 (1987); docs/theory/core-valence.md, "Structural radiation".
class StructuralRadiation {
 public:
  /// Spinors v of one symmetry, and E_v.
  struct Outside {
    SpinorFunctions spinors;
    double energy = 0;
  };
  /// The valence spinors of each symmetry, at the energy of the lowest one.
  static std::vector<Outside> valenceOf(const ValenceSpace& space);

  /// Space and excitations, which have products of these spinors outside of the core, must live as long.
  StructuralRadiation(const ValenceSpace& space, const std::vector<Outside>& outside,
                      const CoreExcitations& excitations, ThreadPool& pool);

  /// An operator with the response of the core in its elements, and its frequency, hartree.
  struct Dressed {
    SpinorOperator operation;
    double omega = 0;
    /// Bras and kets among those outside, where it is not wanted of all.
    std::vector<std::pair<std::size_t, std::size_t>> between{};
  };
  /// dSigma between spinors outside as reduced elements: [operator][bra][ket], empty where the operator does
  /// not lead from one to the other.
  using Elements = std::vector<std::vector<std::vector<Eigen::MatrixXd>>>;
  Elements of(const std::vector<Dressed>& operators, const Checkpoint& checkpoint = {}) const;
  /// d between those of one energy.
  const Eigen::MatrixXd& lost(std::size_t outside) const { return lost_[outside]; }

 private:
  /// The core's spinors of one symmetry, or the particles.
  struct Group {
    ExcitedSpinors spinors;
    SpinorFunctions at;  ///< at the points of products_
    bool hole = false;
  };
  /// What an operator has between two groups: t' of two holes or two particles, and t' over the energy of the
  /// excitation of a hole and a particle; empty where it has nothing.
  using Amplitudes = std::vector<std::vector<Eigen::MatrixXd>>;
  /// Densities of all pairs of functions of two lists, and their potentials by rank where they were asked
  /// for.
  struct Pairs;
  /// W^k between (first, third) in rows and (second, fourth) in columns.
  struct Multipole {
    int k = 0;
    Eigen::MatrixXd values;
  };

  Pairs pairsOf(const SpinorFunctions& f, const SpinorFunctions& g, bool withPotentials) const;
  static std::vector<Multipole> antisymmetric(const Pairs& direct, const Pairs& otherDirect,
                                              const Pairs& exchange, const Pairs& otherExchange);
  Amplitudes amplitudesOf(const Dressed& d) const;
  double inverse(double energy, double first, double second, double third, bool particles) const;
  void addLoops(std::size_t second, std::size_t third, const std::vector<Dressed>& operators,
                const std::vector<Amplitudes>& amplitudes, Elements& sum) const;
  void addLadders(std::size_t first, std::size_t second, const std::vector<Dressed>& operators,
                  const std::vector<Amplitudes>& amplitudes, Elements& sum) const;
  void makeLost();

  ThreadPool& pool_;
  const ProductPoints& products_;
  std::vector<Group> groups_;
  std::vector<SpinorFunctions> valence_;  ///< those outside, at the points
  std::vector<double> energies_;          ///< of each
  std::vector<Eigen::MatrixXd> lost_;
};

}  // namespace prophet

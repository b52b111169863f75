#pragma once
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "atoms/valence/pair_space.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// One place of a valence electron: a spinor and 2m. Places stand in order of their spinors, of one spinor in
/// order of m.
struct ValencePlace {
  int spinor = 0, twoM = 0;
};

/// The Hamiltonian of valence electrons between places: one-electron energies, and the antisymmetrised
/// interaction <pq||rs> from that of pairs coupled to J (PairSpace).
class PlaceHamiltonian {
 public:
  PlaceHamiltonian(const ValenceHamiltonian& h, ThreadPool& pool);

  const std::vector<ValencePlace>& places() const { return places_; }
  double oneBody(int p, int q) const;
  /// <pq||rs>, p < q and r < s.
  double twoBody(int p, int q, int r, int s) const;

 private:
  struct OfJ {
    Eigen::MatrixXd matrix;
    std::vector<int> number;  ///< of the pair of spinors a <= b, at a * spinors + b; -1: none
  };
  const ValenceSpace& space_;
  std::vector<ValencePlace> places_;
  std::vector<int> first_;
  Eigen::MatrixXd one_;  ///< between spinors
  int ranks_ = 0;
  std::vector<OfJ> blocks_;  ///< [2 J + odd]
  std::vector<double>
      couplings_;  ///< [(p * places + q) * ranks + J]: <jp mp jq mq|J M>, sqrt(2) of one spinor
};

/// Electrons in spinors, ascending; a spinor stands there as often as it has electrons.
using ValenceOccupation = std::vector<int>;

/// Antisymmetric states of some electrons with one J, M = J and parity: coupled states of relativistic
/// configurations. Source of the coupling: coupled_states.hpp.
class CoupledSpace {
 public:
  using Places = std::array<std::uint16_t, kMostValenceElectrons>;
  /// Determinants of M = J of one configuration, and the coupled states in them.
  struct Configuration {
    ValenceOccupation spinors;
    std::vector<Places> determinants;
    Eigen::MatrixXd states;  ///< determinants x states
    Eigen::Index first = 0;  ///< of its states among all of the space
    Eigen::Index count() const { return states.cols(); }
  };

  CoupledSpace(const ValenceSpace& space, int twoJ);

  int twoJ() const { return twoJ_; }
  Eigen::Index size() const { return size_; }
  const std::vector<Configuration>& configurations() const { return configurations_; }
  /// Makes the coupled states of these electrons; without states where there are none of this J.
  Configuration configurationOf(const ValenceOccupation& spinors) const;
  /// Adds one that has states.
  void add(Configuration configuration);
  Eigen::MatrixXd hamiltonian(const PlaceHamiltonian& h, ThreadPool& pool) const;

 private:
  struct Pattern {
    std::vector<std::array<std::uint8_t, 2 * kMostValenceElectrons>> determinants;  ///< (spinor, place) each
    Eigen::MatrixXd states;
  };
  const ValenceSpace& space_;
  int twoJ_;
  std::vector<int> firstPlaces_;  ///< of each spinor
  Eigen::Index size_ = 0;
  std::vector<Configuration> configurations_;
  mutable std::map<std::vector<int>, Pattern> patterns_;
};

/// Whether more than `most` electrons of one configuration are elsewhere in the other.
bool differInMoreThan(int most, const ValenceOccupation& a, const ValenceOccupation& b);

/// The Hamiltonian between the coupled states of two configurations, without any where they differ in more
/// than two electrons.
Eigen::MatrixXd hamiltonianBetween(const PlaceHamiltonian& h, const CoupledSpace::Configuration& a,
                                   const CoupledSpace::Configuration& b);

/// A scalar operator of single electrons, which has these elements between spinors, times vectors over a
/// space.
Eigen::MatrixXd scalarTimes(const PlaceHamiltonian& places, const Eigen::MatrixXd& between,
                            const CoupledSpace& space, const Eigen::MatrixXd& vectors, ThreadPool& pool);

/// The reduced elements <J||T||J'> of a one-electron operator of rank k, from those between spinors,
/// `reduced`, between vectors over two spaces: bra x ket.
Eigen::MatrixXd reducedElements(const PlaceHamiltonian& places, const ValenceSpace& space, int k,
                                const Eigen::MatrixXd& reduced, const CoupledSpace& bra,
                                const Eigen::MatrixXd& braVectors, const CoupledSpace& ket,
                                const Eigen::MatrixXd& ketVectors);

/// What the configuration interaction of several electrons is limited to.
struct CoupledLimits {
  /// Spinors of each symmetry, the lowest ones, distributions over which are looked at first.
  int model = 3;
  std::size_t firstConfigurations = 250;  ///< of them, in each J on average, those of the lowest energies
  double referenceWeight = 0.003;         ///< of configurations from which electrons are excited
  /// Hartree: of configurations that contribute less in second order, the contributions are summed up.
  double least = 1e-6;
  Eigen::Index mostStates = 4000;  ///< of one J
};

/// How many of the lowest states of a J are wanted.
struct CoupledWish {
  int twoJ = 0;
  Eigen::Index count = 0;
};

/// The lowest states of some electrons with one J and parity.
struct CoupledStates {
  CoupledSpace space;
  Eigen::VectorXd values{};  ///< ascending, hartree, with `rest`
  Eigen::VectorXd first{};   ///< those in the first step that they resemble most, hartree
  Eigen::VectorXd rest{};    ///< of each, in second order, from configurations that were left out
  Eigen::MatrixXd vectors{};
  Eigen::VectorXd plainValues{};  ///< of the other Hamiltonian in the same space, with the same rest
  Eigen::MatrixXd plainVectors{};
};

/// Configuration interaction of one parity, for each wish: distributions of the electrons over a few spinors
/// first; then single and double excitations, to all spinors, of the configurations that count in the lowest
/// states, of which those that contribute most in second order are taken in, and the rest is added in second
/// order (B. Huron, J. P. Malrieu and P. Rancurel, J. Chem. Phys. 58 (1973) 5745). All J have the same
/// configurations. `wanted`: n and l of the electrons of configurations that must be among those of the first
/// step. `plain`: another Hamiltonian whose states are wanted too. Throws Error as lowestPairStates.
std::vector<CoupledStates> lowestCoupledStates(const PlaceHamiltonian& h, const PlaceHamiltonian& plain,
                                               const ValenceSpace& space, int electrons, bool odd,
                                               const std::vector<CoupledWish>& wishes,
                                               const std::set<std::vector<std::pair<int, int>>>& wanted,
                                               const CoupledLimits& limits, ThreadPool& pool,
                                               const Checkpoint& checkpoint = {});

}  // namespace prophet

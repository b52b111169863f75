#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "atoms/valence/coupled_space.hpp"

namespace prophet {

/// Sigma_3: what the core adds to the interaction of three valence electrons in second order. One of them and
/// a core electron a become two valence electrons, and the two others fill the hole:
///   Sigma_3(vwz,xyt) = sum of +- <vw||xa><az||yt>/(e0 - e_a)  over the 3 choices of z and of x.
/// e0 is the mean of the six spinors' lowest energies of their symmetries. Source: V. A. Dzuba, V. V.
/// Flambaum and M. G. Kozlov, Phys. Rev. A 54 (1996) 3948; docs/theory/core-valence.md.
class ThreeElectronTerms {
 public:
  /// Between the `perSymmetry` lowest spinors of each symmetry.
  ThreeElectronTerms(const ValenceSpace& space, const PlaceHamiltonian& places, int perSymmetry);

  /// The expectation value in states of three or more electrons, over that part of them which consists of
  /// configurations of these spinors with at least `least` of the weight, hartree.
  Eigen::VectorXd expectation(const CoupledSpace& states, const Eigen::MatrixXd& vectors, double least) const;

 private:
  using Three = std::array<int, 3>;  ///< places
  /// One place of an electron, of the core or above it.
  struct State {
    Symmetry type;
    int twoM = 0;
  };
  double between(const Three& bra, const Three& ket) const;
  /// <pq||ra>, a the place `twoM` of a hole.
  double withHole(int p, int q, int r, std::size_t hole, int twoM) const;
  bool has(int place) const { return number(place) >= 0; }
  int number(int place) const { return number_[usize(places_.places()[usize(place)].spinor)]; }
  State state(int place) const {
    const ValencePlace& p = places_.places()[usize(place)];
    return {space_.spinors[usize(p.spinor)].type, p.twoM};
  }
  /// The sum over q of (-1)^q w(a k q c) w(b k -q d), with the reduced elements of C^k.
  double angular(int k, State a, State b, State c, State d) const;
  std::size_t numberOf(State s) const;

  const ValenceSpace& space_;
  const PlaceHamiltonian& places_;
  std::vector<int> number_;  ///< of each spinor among those that are here; -1: it is not
  int count_ = 0;
  std::vector<Eigen::MatrixXd> radial_;  ///< [k]: R^k(pq,ra), rows p + count r, columns q + count hole
  std::size_t states_ = 0;
  std::vector<double> angles_;  ///< <a||C^k||c> w(a k q c) of all states a and c
};

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <array>
#include <map>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/configurations/determinant_space.hpp"
#include "atoms/configurations/level_space.hpp"
#include "atoms/levels/spinor_table.hpp"

namespace prophet {

/// Exchange of a and b, of one symmetry, with all electrons of a full spinor.
double exchangeOf(const SpinorTable& spinors, const MultipoleOf& multipole, int a, int b, int full);

/// The interaction of two electrons between any spinors of a table.
class SpinorInteraction {
 public:
  /// `frequency`: whether the Breit interaction is that with the frequency of the exchanged photon.
  SpinorInteraction(const SpinorTable& spinors, TwoElectronOperator electrons, bool frequency = false)
      : spinors_(spinors), electrons_(electrons), frequency_(frequency) {}

  /// X^k(ab,cd): <ab|g|cd> = sum_k X^k sum_q (-1)^q w(a k q c) w(b k -q d).
  double multipole(int k, int a, int b, int c, int d) const;
  /// Its part that is the Breit interaction.
  double breit(int k, int a, int b, int c, int d) const;
  /// Exchange of a and b, of one symmetry, with all electrons of a full spinor, hartree.
  double exchange(int a, int b, int full) const;

 private:
  const SpinorTable& spinors_;
  TwoElectronOperator electrons_;
  bool frequency_;
};

/// The Hamiltonian of the open electrons in the field of nucleus and closed shells, between spinors.
class OpenInteraction {
 public:
  /// The space and the spinors must stay as long.
  OpenInteraction(const LevelSpace& space, const SpinorTable& spinors, const SpinorInteraction& interaction);

  /// Energy of the closed shells alone, hartree: in heavy atoms it takes longer than all else here.
  double coreEnergy() const;
  /// h between open spinors a and b of one symmetry, with the closed shells' Coulomb and Breit fields.
  double oneBody(int a, int b) const { return oneBody_(a, b); }
  /// X^k(ab,cd) between open spinors: <ab|g|cd> = sum_k X^k sum_q (-1)^q w(a k q c) w(b k -q d).
  double multipole(int k, int a, int b, int c, int d) const;
  int largestK() const { return largestK_; }

 private:
  /// One-electron energy between spinors of the table, with the closed shells' field.
  double inField(int a, int b) const;

  const LevelSpace& space_;
  const SpinorTable& spinors_;
  SpinorInteraction interaction_;
  std::vector<int> open_;  ///< of the table
  int largestK_ = 0;
  Eigen::MatrixXd oneBody_;
  mutable std::map<std::array<int, 5>, double> multipoles_;
};

/// Largest rank of an operator between any of these spinors.
int largestRank(const LevelSpace& space);

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <functional>

#include "atoms/atom/symmetry.hpp"
#include "atoms/correlation/orbital_space.hpp"

namespace prophet {

/// Radial functions of some spinors of one symmetry at the points of an OrbitalSpace, scaled by sqrt(r), a
/// column for each: spinors of the space or any combinations of them. `small` has no rows where there are no
/// small components.
struct SpinorFunctions {
  Symmetry symmetry;
  Eigen::MatrixXd large, small;
  Eigen::Index count() const { return large.cols(); }
};

/// Columns [first, first + count) of a symmetry of the space, by its index.
SpinorFunctions functionsOf(const OrbitalSpace& space, int symmetry, Eigen::Index first, Eigen::Index count);

/// A tensor operator of one electron with real reduced elements (of one whose elements are imaginary, i is
/// left out), in the convention of reducedC. Elements between i and j and between j and i need not be alike:
/// of hermitian operators <j||T||i> = (-1)^(ji-jj) <i||T||j>, of those that are i times a real antisymmetric
/// one minus that.
struct SpinorOperator {
  int rank = 1;
  bool odd = false;  ///< whether it changes the parity
  /// <i||T||j> between the first list's spinors (rows) and those of the second one.
  std::function<Eigen::MatrixXd(const SpinorFunctions&, const SpinorFunctions&)> elements{};

  /// Whether triangle and parity let it lead from one symmetry to another.
  bool couples(Symmetry bra, Symmetry ket) const;
};

// The operators live no longer than their space.

/// r^k C^k: of E1 the length gauge, e a0; of E2 half of what spectroscopists call Q in e a0^2.
SpinorOperator electricMultipole(const OrbitalSpace& space, int rank);
/// The same in the velocity gauge at long wavelengths, of E1 c alpha, here without its factor i: between
/// exact states its elements are those of r^k C^k times the energy of the bra less that of the ket (W. R.
/// Johnson, Atomic Structure Theory (2007), chapter 6).
SpinorOperator electricVelocity(const OrbitalSpace& space, int rank, double speedOfLight);
/// The magnetic moment of the electron in Bohr magnetons without the anomalous one, at long wavelengths.
SpinorOperator magneticDipole(const OrbitalSpace& space, double speedOfLight);
/// The operators of hyperfine constants in the field of a point dipole and quadrupole; see hyperfineA and
/// hyperfineB.
SpinorOperator hyperfineDipole(const OrbitalSpace& space);
SpinorOperator hyperfineQuadrupole(const OrbitalSpace& space);

/// MHz for mu_I/I = 1 nuclear magneton, of a state of this j with this reduced element of hyperfineDipole.
double hyperfineA(Symmetry symmetry, double reduced);
/// MHz for Q = 1 barn, of hyperfineQuadrupole; j > 1/2.
double hyperfineB(Symmetry symmetry, double reduced);

}  // namespace prophet

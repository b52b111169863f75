#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/frozen/basis_trials.hpp"
#include "atoms/frozen/exponent_stencil.hpp"

namespace prophet {

/// The frozen field of one symmetry (FrozenField) between Gaussians of tabulated exponents: matrix elements
/// between any others follow by interpolation in ln zeta, to 1e-13 or so of their size. A trial then costs no
/// function values on a grid and no products with the field there.
struct FieldTable {
  Symmetry symmetry;
  Nucleus nucleus;  ///< point, Gaussian or sphere: its attraction has closed forms and is not in the table
  double c = 0;     ///< speed of light
  double dependencyThreshold = 0;
  ExponentNodes nodes;
  /// nodes x nodes: the two-electron part of the Fock operator with the correction of open spinors, between
  /// normalised large functions (LL), small ones (SS), and large (rows) with small ones (LS).
  Eigen::MatrixXd LL, LS, SS;
  Eigen::VectorXd occupation, energies;  ///< of the occupied spinors; energies in the reference, hartree
  Eigen::VectorXd negativeEnergies;      ///< of the reference's negative-energy solutions
  Eigen::MatrixXd negativeLarge, negativeSmall;  ///< solutions x nodes: their overlaps with the functions

  int occupied() const { return static_cast<int>(occupation.size()); }
  /// Whether these exponents can be interpolated to.
  bool contains(const std::vector<double>& exponents) const;
  /// FrozenField::shortfall for exponents that the table contains. Thread-safe.
  BasisShortfall shortfall(const std::vector<double>& exponents) const;
  /// The same with its derivatives, for some three times its cost. Throws Error where the exponents do not
  /// carry the spinors.
  ShortfallSlopes shortfallWithSlopes(const std::vector<double>& exponents) const;
};

}  // namespace prophet

#pragma once
#include <Eigen/Core>

#include "atoms/basis/basis_set.hpp"

namespace prophet {

/// Exponential grid r_i = first exp(i h), i = 0 .. points-1, for the trapezoidal rule in x = ln r
/// (docs/theory.md, "Two-electron integrals"): integral f(r) dr = sum_i f(r_i) r_i h, exact to rounding for
/// products of powers and Gaussians when h <= 0.12 or so.
struct RadialGrid {
  double first = 0, h = 0;
  int points = 0;
  Eigen::VectorXd radii() const;
};

/// The grid for products of two functions of the basis with spacing h, from start/sqrt(largest exponent) to
/// sqrt(end/smallest exponent). The defaults integrate every product to rounding, also with 1/r.
RadialGrid makeGrid(const BasisSet& basis, double h, double start = 2e-6, double end = 40.0);

/// Components of the normalised primitives of one symmetry on the grid, each multiplied by sqrt(r_i h), so
/// that overlaps are plain products: <P_p|P_q> = sum_i large(i,p) large(i,q). points x n each.
struct GridFunctions {
  Eigen::MatrixXd large, small;
};
GridFunctions evaluateOnGrid(const SymmetryBasis& basis, const RadialGrid& grid);
/// Derivatives of the same functions with respect to ln zeta, each to its own.
GridFunctions evaluateDerivativesOnGrid(const SymmetryBasis& basis, const RadialGrid& grid);

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/basis/basis_set.hpp"

namespace prophet {

/// Blocks of one symmetry's matrix over the primitive basis: large-large (n x n, symmetric), large-small
/// (rows large, columns small; n x n) and small-small (n x n, symmetric). SL is the transpose of LS.
struct BlockMatrix {
  Eigen::MatrixXd LL, LS, SS;

  void resize(int large, int small) {
    LL.resize(large, large);
    LS.resize(large, small);
    SS.resize(small, small);
  }
  void setZero() {
    LL.setZero();
    LS.setZero();
    SS.setZero();
  }
};

/// Exponential grid r_i = first exp(i h), i = 0 .. points-1, for the trapezoidal rule in x = ln r
/// (docs/theory/dirac-hartree-fock.md, "Two-electron integrals"): integral f(r) dr = sum_i f(r_i) r_i h,
/// exact to rounding for products of powers and Gaussians when h <= 0.12 or so.
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

/// Matrices <P|V|P> and <Q|V|Q> (blocks LL and SS; LS stays empty) of a local radial potential V(r), hartree
/// at bohr, by the trapezoidal rule with spacing h in ln r. The error falls as exp(-2 pi w/h), where w is the
/// largest angle |arg r| in which V is analytic, at most pi/4.
std::vector<BlockMatrix> potentialMatrices(const BasisSet& basis,
                                           const std::function<double(double)>& potential, double h);

/// The same on a given grid.
std::vector<BlockMatrix> potentialMatrices(const BasisSet& basis,
                                           const std::function<double(double)>& potential,
                                           const RadialGrid& grid);

/// integral r^n exp(-p r^2) / max(r, radius) dr for even n >= 2, as two incomplete gamma functions.
double shellAttraction(double radius, int n, double p);

/// Matrices <P|V|P> and <Q|V|Q> (blocks LL and SS; LS stays empty) of a charged shell, hartree, in closed
/// form: the potential has an edge, at which quadratures lose their digits.
std::vector<BlockMatrix> shellMatrices(const BasisSet& basis, const ChargedShell& shell);

}  // namespace prophet

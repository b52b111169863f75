#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/atom/wavefunction.hpp"

namespace prophet {

/// Gauss-Legendre rule on [-1, 1]; nodes ascending.
struct GaussRule {
  Eigen::VectorXd nodes, weights;
  int size() const { return static_cast<int>(nodes.size()); }
};

/// Nodes and weights to rounding, from the zeros that Boost.Math finds in long double. Throws Error for count
/// < 1.
GaussRule gaussLegendre(int count);

/// Lagrange polynomials of `nodes` at `points`: matrix (points x nodes).
Eigen::MatrixXd lagrangePolynomials(const Eigen::VectorXd& nodes, const Eigen::VectorXd& points);

/// Quadrature points of radial integrals: `pointsPerCell` Gauss-Legendre nodes in each cell of x = ln r.
///
/// Functions at the points are scaled to p = P sqrt(r) and q = Q sqrt(r), so that integrals of P^2 dr are
/// integrals of p^2 dx.
struct RadialMesh {
  /// `breaks`: the ends of the cells in x, ascending.
  RadialMesh(std::vector<double> breaks, int pointsPerCell);

  std::vector<double> breaks;
  GaussRule rule;  ///< of one cell, on [-1, 1]
  int cells = 0, points = 0;
  Eigen::VectorXd x, r, weight;  ///< weight for integrals over x

  int pointsPerCell() const { return rule.size(); }
  double cellWidth(int cell) const { return breaks[cell + 1] - breaks[cell]; }
};

/// Points in a cell where spinors are tabulated, whatever they are expanded in: derivatives and kernels are
/// those of polynomials.
inline constexpr int kTablePoints = 14;

/// The same cells, each divided into equal ones that are no wider than `widest`.
std::vector<double> dividedCells(const std::vector<double>& breaks, double widest);

/// Radial functions at points, a column for each.
struct RadialTable {
  Eigen::MatrixXd large, small;
};

/// P sqrt(r) and Q sqrt(r) of all spinors at the points of the mesh; Q is zero where
/// spinors have none.
RadialTable tabulated(const Wavefunction& functions, const RadialMesh& mesh);

/// P r^power and Q r^power of the normalised primitives of a symmetry at radii r; `withSmall`: else Q is left
/// out.
RadialTable gaussiansAt(Symmetry symmetry, const std::vector<double>& exponents, const Eigen::VectorXd& r,
                        double power, bool withSmall = true);

}  // namespace prophet

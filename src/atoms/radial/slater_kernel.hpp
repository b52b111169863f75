#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/radial/radial_mesh.hpp"

namespace prophet {

/// The Slater kernels r<^k / r>^(k+1) as matrices over the quadrature points.
///
/// With dr = r dx and radial functions scaled by sqrt(r), the kernel of two pair densities p_a p_b(x) dx is
/// (r r')^(-1/2) exp(-(k + 1/2)|x - x'|): nothing overflows, whatever k and the mesh. Points in different
/// cells take products of Gauss weights; within a cell, where the kernel has its kink, the element (i, j) is
/// the double integral of the Lagrange polynomials of both points with the kernel, exact to rounding. Both
/// orders of the two points are kept apart, as the Breit interaction requires.
class SlaterKernel {
 public:
  /// The mesh must live as long.
  SlaterKernel(const RadialMesh& mesh, int largestK);

  int largestK() const { return static_cast<int>(ordered_.size()) - 1; }
  /// A range of whole cells.
  struct CellRange {
    int first = 0, count = 0;
  };
  /// Elements (i in rows, j in columns), weights included, where x_i > x_j. The rows' cells must not lie
  /// before the columns' cells; ranges must be equal or disjoint. Its transpose holds the other order.
  void ordered(int k, CellRange rows, CellRange columns, Eigen::MatrixXd& elements) const;
  /// Potential integral (r<^k/r>^(k+1)) rho(r') dr' at the points, rho(r') dr' = `density` dx. Consistent
  /// with `ordered`: weight_i potential_i = sum_j U_ij density_j.
  Eigen::VectorXd potential(int k, const Eigen::VectorXd& density) const;
  /// The same of many densities, a column for each.
  Eigen::MatrixXd potentials(int k, const Eigen::MatrixXd& densities) const;
  /// The parts of it that come from r' < r and from r' > r.
  Eigen::VectorXd potentialFromInside(int k, const Eigen::VectorXd& density) const;
  Eigen::VectorXd potentialFromOutside(int k, const Eigen::VectorXd& density) const;

 private:
  Eigen::MatrixXd cellBlock(int k, double width) const;

  const RadialMesh& mesh_;
  GaussRule fine_;
  Eigen::MatrixXd outer_;               ///< Lagrange polynomials at the outer points of the cell integrals
  std::vector<Eigen::MatrixXd> inner_;  ///< the same at the inner points below each outer point
  std::vector<std::vector<Eigen::MatrixXd>> ordered_;  ///< [k][cell]: x > x' half of the cell's block
};

}  // namespace prophet

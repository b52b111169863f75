#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/limit/radial_basis.hpp"

namespace prophet::limit {

/// The Slater kernels r<^k / r>^(k+1) as matrices over the quadrature points.
///
/// With dr = r dx and radial functions scaled by sqrt(r), the kernel of two pair densities p_a p_b(x) dx is
/// (r r')^(-1/2) exp(-(k + 1/2)|x - x'|): nothing overflows, whatever k and the mesh. Points in different
/// cells take products of Gauss weights; within a cell, where the kernel has its kink, the element (i, j) is
/// the double integral of the Lagrange polynomials of both points with the kernel, exact to rounding. Both
/// orders of the two points are kept apart, as the Breit interaction requires.
class SlaterKernel {
 public:
  SlaterKernel(const RadialBasis& basis, int largestK);

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

  const RadialBasis& basis_;
  GaussRule fine_;
  Eigen::MatrixXd outer_;               ///< Lagrange polynomials at the outer points of the cell integrals
  std::vector<Eigen::MatrixXd> inner_;  ///< the same at the inner points below each outer point
  std::vector<std::vector<Eigen::MatrixXd>> ordered_;  ///< [k][cell]: x > x' half of the cell's block
};

/// Component blocks of a matrix: rows, then columns, of the large or small component.
enum class Block { LL = 0, LS = 1, SL = 2, SS = 3 };

/// One multipole of a kernel, with its weights where r1 > r2 and where r1 < r2.
struct KernelTerm {
  int k = 0;
  double whereGreater = 0, whereSmaller = 0;
};

/// A source block of the density that enters a target block of the exchange matrix.
struct BlockPair {
  Block target, source;
  double factor = 1;
};

/// The exchange of spinors of symmetry `target` with those of symmetry `source` by one kernel. Listed target
/// blocks: LL, LS, SS; SL follows as the transpose of LS. Coulomb has one channel for each pair of
/// symmetries; an operator with other component structure (Gaunt, Breit) is another list of channels.
struct ExchangeChannel {
  int target = 0, source = 0;
  std::vector<KernelTerm> kernel;
  std::vector<BlockPair> blocks;
};

/// Channels of the Coulomb interaction: kernel sum_k Lambda_k r<^k/r>^(k+1), every block onto itself.
std::vector<ExchangeChannel> coulombChannels(int symmetries,
                                             Components components = Components::LargeAndSmall);
int largestMultipole(const std::vector<ExchangeChannel>& channels);

/// Spinors of one symmetry at the quadrature points (points x spinors) with their occupations.
struct PointSpinors {
  Eigen::MatrixXd large, small;
  Eigen::VectorXd occupation;
};

/// Exchange matrices by quadrature: kernel times density matrix, element by element over pairs of points,
/// tile by tile so that everything stays in cache, then contracted with the splines.
class ExchangeBuilder {
 public:
  ExchangeBuilder(const RadialBasis& basis, const SlaterKernel& kernel, std::vector<ExchangeChannel> channels,
                  int symmetries, int threads = 1);

  /// For each symmetry a the matrix sum_b weights(a, b) K[density of b] over all splines of p, then of q.
  std::vector<Eigen::MatrixXd> build(const std::vector<PointSpinors>& spinors,
                                     const Eigen::MatrixXd& weights) const;

 private:
  struct Tile {
    SlaterKernel::CellRange cells;
    int firstPoint, pointCount, firstSpline[2], splineCount[2];
    Eigen::MatrixXd values[2];  ///< splines at the tile's points: large, small
  };
  struct Workspace;
  void addTilePair(int rows, int columns, const std::vector<PointSpinors>& spinors,
                   const Eigen::MatrixXd& weights, Workspace& work) const;
  void fillKernels(const Tile& rows, const Tile& columns, Workspace& work) const;
  void fillDensities(const Tile& rows, const Tile& columns, const PointSpinors& spinors,
                     Eigen::MatrixXd* density) const;
  void addChannel(const ExchangeChannel& channel, double weight, bool diagonal, Workspace& work) const;
  void contract(const Tile& rows, const Tile& columns, bool diagonal, int symmetry, Workspace& work) const;

  const RadialBasis& basis_;
  const SlaterKernel& kernel_;
  std::vector<ExchangeChannel> channels_;
  int symmetries_, threads_;
  std::vector<Tile> tiles_;
};

}  // namespace prophet::limit

#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "atoms/radial/slater_kernel.hpp"

namespace prophet::limit {

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

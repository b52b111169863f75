#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "atoms/calculation/stored_settings.hpp"
#include "cuda/atoms/fock/contraction_kernels.hpp"
#include "cuda/core/common/workspace.hpp"

namespace prophet::cuda {

/// Stse: one thread for one output element (Hennessey (2018), algorithm 8); Mtse: products spread over
/// threads, reduced, one atomic addition each (algorithms 6-7); Stored: tiles of the triangle, every stored
/// number read once, sums in a fixed order.
using ContractionKernel = StoredKernel;

/// P and Q of one basis set and set of open shells from slabs of whole super-matrix rows.
class Contraction {
 public:
  /// `open`: which symmetries have an open spinor; `reduction`: FockBuilder's exchangeDefect. `workspace`
  /// is kept; what is added is queued on its stream or after it.
  Contraction(const StoredBasis& basis, const std::vector<bool>& open, const Eigen::MatrixXd& reduction,
              ContractionKernel kernel, Workspace& workspace);

  /// p += P part, q += Q part of slab rows firstRow <= I < endRow; the slab begins at element (firstRow, 0).
  /// Vectors have kPairComponents * pairs numbers; `openDensity` and `q` are read and written only where
  /// there are open shells.
  void add(const SuperMatrixSlab& slab, std::int64_t firstRow, std::int64_t endRow,
           const double* totalDensity, const double* openDensity, double* p, double* q, cudaStream_t stream);

 private:
  struct Tiles {
    std::int64_t firstRow, endRow;
    DeviceBuffer<RowBand> bands;
    DeviceBuffer<int> bandRows, columnStarts, openColumns;
    DeviceBuffer<ContractionTile> closed, open;
  };
  const Tiles& tiles(std::int64_t firstRow, std::int64_t endRow);
  TilesView view(const Tiles& tiles);

  const StoredBasis& basis_;
  ContractionKernel kernel_;
  Workspace& workspace_;
  std::vector<bool> openOfSymmetry_;
  DeviceBuffer<int> open_;
  DeviceBuffer<double> reduction_;
  std::vector<Tiles> tiles_;
  DeviceBuffer<double> rowSums_, columnSums_, openRowSums_, openColumnSums_;
};

}  // namespace prophet::cuda

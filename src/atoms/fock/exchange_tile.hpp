#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "atoms/fock/grid_span.hpp"

namespace prophet {

/// Grid points in one tile: long enough for the matrix products, short enough that a tile of every block
/// stays in a core's own cache. A multiple of kRowGroup.
constexpr int kTile = 24;

/// Values between the points i of a tile (columns) and all points j (rows), each block at a multiple of 64
/// bytes.
class TileBlocks {
 public:
  using Map = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  /// Zeros, where the size is new. `rows`: a multiple of kRowGroup; without `cross` there is no SL.
  void prepare(int rows, bool cross);
  void clear() { std::fill(storage_.begin(), storage_.end(), 0.0); }
  Map ll() const { return map(blocks_.ll); }
  Map ss() const { return map(blocks_.ss); }
  Map ls() const { return map(blocks_.ls); }
  Map sl() const { return map(blocks_.sl); }
  const PairBlocks& pointers() const { return blocks_; }
  int stride() const { return stride_; }

 private:
  Map map(double* block) const { return Map(block, rows_, kTile, Eigen::OuterStride<>(stride_)); }
  std::vector<double> storage_;
  PairBlocks blocks_{};
  int rows_ = 0, stride_ = 0;
};

/// What `gatherTile` computes: brackets of all targets in one tile, from the densities of all sources.
struct TileExchange {
  int first = 0, size = 0;                 ///< points of the tile, both multiples of kRowGroup
  std::vector<GridSpan> targets, sources;  ///< where they have values
  std::vector<TileBlocks>* brackets = nullptr;
  const std::vector<TileBlocks>* densities = nullptr;
  std::vector<KernelCentres> kernels;  ///< [target * sources + source]
};

/// bracket_a = - sum over b of kernel_ab o density_b on the rows and columns of targets[a]: LL and SS on rows
/// up to the end of the tile, half of it in the tile's own rows (the block is symmetric and is counted again
/// when the half of a matrix is added to its transpose), LS on all rows.
void gatherTile(const TileExchange& exchange);

}  // namespace prophet

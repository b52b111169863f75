#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "atoms/fock/exchange_rows.hpp"

namespace prophet {

/// Rows first <= i < end of matrices on a grid, both multiples of kRowGroup.
struct GridSpan {
  int first = 0, end = 0;
  int size() const { return end - first; }
  bool holds(int row) const { return first <= row && row < end; }
};

/// What both have.
GridSpan intersection(GridSpan a, GridSpan b);

/// Next multiple of kRowGroup.
int wholeGroups(int rows);

/// All rows but those at both ends where the squares of all columns of `large` and `small` are below 1e-15
/// (first rows) and 1e-20 (last ones), the squares of each column adding up to 1: what functions have there
/// changes no integral by more than the grid's own error. (Inside, an exchange integral's part goes as
/// r^(2l+3), whatever the other functions.)
GridSpan significantRows(const Eigen::MatrixXd& large, const Eigen::MatrixXd& small);

/// The matrix with rows of zeros outside the span, and up to `rows`.
Eigen::MatrixXd cutTo(GridSpan span, const Eigen::MatrixXd& matrix, Eigen::Index rows);

/// Where `within` or one of `spans` begins or ends inside `within`: between neighbours of this ascending list
/// every span has all rows or none.
std::vector<int> boundaries(const std::vector<GridSpan>& spans, GridSpan within);

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

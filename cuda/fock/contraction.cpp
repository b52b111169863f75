#include "cuda/fock/contraction.hpp"

#include <algorithm>

namespace prophet::cuda {
namespace {

std::vector<double> rowMajor(const Eigen::MatrixXd& m) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) values.push_back(m(i, j));
  }
  return values;
}

/// Rows of a tile: as many as possible (fewer additions to global memory) but enough tiles to fill a large
/// GPU.
int tileRows(std::int64_t pairs) {
  constexpr double kEnoughTiles = 600.0;
  int rows = kTileRows;
  const double strips = 0.5 * static_cast<double>(pairs) * static_cast<double>(pairs) / kTileColumns;
  while (rows > kSmallestTileRows && strips / rows < kEnoughTiles) rows /= 2;
  return rows;
}

/// Tiles of the rows [firstRow, endRow) between symmetries a >= b, where they hold elements with I >= J.
void appendTiles(const PairNumbering& n, int a, int b, std::int64_t firstRow, std::int64_t endRow, int rows,
                 std::vector<ContractionTile>& tiles) {
  const int first = static_cast<int>(std::max(firstRow, n.pairOffset[a]));
  const int end = static_cast<int>(std::min(endRow, n.pairOffset[a + 1]));
  const int columns = static_cast<int>(n.pairOffset[b + 1]);
  for (int row = first; row < end; row += rows) {
    const int rowEnd = std::min(row + rows, end);
    for (int column = static_cast<int>(n.pairOffset[b]); column < columns; column += kTileColumns) {
      if (column >= rowEnd) break;
      tiles.push_back({row, rowEnd, column, std::min(column + kTileColumns, columns), a, b});
    }
  }
}

}  // namespace

Contraction::Contraction(const StoredBasis& basis, const std::vector<bool>& open,
                         const Eigen::MatrixXd& reduction, ContractionKernel kernel)
    : basis_(basis),
      kernel_(kernel),
      openOfSymmetry_(open),
      open_(std::vector<int>(open.begin(), open.end())),
      reduction_(rowMajor(reduction)) {}

const Contraction::Tiles& Contraction::tiles(std::int64_t firstRow, std::int64_t endRow) {
  for (const Tiles& t : tiles_) {
    if (t.firstRow == firstRow && t.endRow == endRow) return t;
  }
  const PairNumbering numbering = basis_.index().view();
  const int rows = tileRows(basis_.index().pairs());
  std::vector<ContractionTile> closed, open;
  for (int a = numbering.symmetries - 1; a >= 0; --a) {
    for (int b = 0; b <= a; ++b) {
      appendTiles(numbering, a, b, firstRow, endRow, rows,
                  openOfSymmetry_[a] && openOfSymmetry_[b] ? open : closed);
    }
  }
  tiles_.push_back(
      {firstRow, endRow, DeviceBuffer<ContractionTile>(closed), DeviceBuffer<ContractionTile>(open)});
  return tiles_.back();
}

void Contraction::add(const SuperMatrixSlab& slab, std::int64_t firstRow, std::int64_t endRow,
                      const double* totalDensity, const double* openDensity, double* p, double* q,
                      cudaStream_t stream) {
  if (firstRow >= endRow) return;
  const StoredBasisView basis = basis_.view();
  const ContractionView view{basis.numbering.pairOffset,
                             basis_.symmetries(),
                             static_cast<int>(basis_.index().pairs()),
                             open_.data(),
                             reduction_.data(),
                             totalDensity,
                             openDensity,
                             p,
                             q};
  switch (kernel_) {
    case ContractionKernel::Stse:
      contractSingleThread(view, slab, firstRow, endRow, stream);
      break;
    case ContractionKernel::Mtse:
      contractMultiThread(view, slab, firstRow, endRow, stream);
      break;
    case ContractionKernel::Stored: {
      const Tiles& t = tiles(firstRow, endRow);
      contractTiles(view, slab, t.closed, t.open, stream);
      break;
    }
  }
}

}  // namespace prophet::cuda

#include "cuda/atoms/fock/contraction.hpp"

#include "cuda/atoms/fock/tiling.hpp"

namespace prophet::cuda {
namespace {

std::vector<double> rowMajor(const Eigen::MatrixXd& m) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) values.push_back(m(i, j));
  }
  return values;
}

/// Makes `buffer` hold at least that many numbers; what it held is lost.
void grow(DeviceBuffer<double>& buffer, std::int64_t size, const Workspace& workspace) {
  if (static_cast<std::int64_t>(buffer.size()) >= size) return;
  buffer = DeviceBuffer<double>();
  buffer = workspace.make<double>(static_cast<std::size_t>(size));
}

}  // namespace

Contraction::Contraction(const StoredBasis& basis, const std::vector<bool>& open,
                         const Eigen::MatrixXd& reduction, ContractionKernel kernel, Workspace& workspace)
    : basis_(basis),
      kernel_(kernel),
      workspace_(workspace),
      openOfSymmetry_(open),
      open_(workspace.upload(std::vector<int>(open.begin(), open.end()))),
      reduction_(workspace.upload(rowMajor(reduction))) {}

const Contraction::Tiles& Contraction::tiles(std::int64_t firstRow, std::int64_t endRow) {
  for (const Tiles& t : tiles_) {
    if (t.firstRow == firstRow && t.endRow == endRow) return t;
  }
  const Tiling tiling = makeTiling(basis_.index().view(), openOfSymmetry_, firstRow, endRow);
  grow(rowSums_, kPairComponents * tiling.rowSums, workspace_);
  grow(columnSums_, kPairComponents * tiling.columnSums, workspace_);
  if (!tiling.open.empty()) {
    grow(openRowSums_, kPairComponents * tiling.rowSums, workspace_);
    grow(openColumnSums_, kPairComponents * tiling.columnSums, workspace_);
  }
  tiles_.push_back({firstRow, endRow, workspace_.upload(tiling.bands), workspace_.upload(tiling.bandRows),
                    workspace_.upload(tiling.columnStarts), workspace_.upload(tiling.openColumns),
                    workspace_.upload(tiling.closed), workspace_.upload(tiling.open)});
  return tiles_.back();
}

TilesView Contraction::view(const Tiles& t) {
  return {t.bands.data(),
          t.bandRows.data(),
          t.columnStarts.data(),
          static_cast<int>(t.bands.size()),
          t.openColumns.data(),
          t.closed.data(),
          t.open.data(),
          static_cast<int>(t.closed.size()),
          static_cast<int>(t.open.size()),
          rowSums_.data(),
          columnSums_.data(),
          openRowSums_.data(),
          openColumnSums_.data()};
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
      const TilesView cut = this->view(tiles(firstRow, endRow));
      contractTiles(view, slab, cut, firstRow, endRow, stream);
      break;
    }
  }
}

}  // namespace prophet::cuda

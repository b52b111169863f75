#pragma once
#include <vector>

#include "atoms/integrals/pair_index.hpp"
#include "cuda/atoms/fock/contraction_kernels.hpp"

namespace prophet::cuda {

/// How the Stored kernel's work on a slab of rows is cut, on the host.
struct Tiling {
  std::vector<RowBand> bands;                            ///< ascending
  std::vector<int> bandRows, columnStarts, openColumns;  ///< see TilesView
  std::vector<ContractionTile> closed, open;             ///< in the order in which blocks take them
  std::int64_t rowSums = 0, columnSums = 0;  ///< entries of kPairComponents numbers that tiles leave
};

/// Cuts rows firstRow <= I < endRow. Bands begin with the last rows and become lower towards the first ones,
/// so that a large GPU's blocks end together. `open`: which symmetries have an open spinor.
Tiling makeTiling(const PairNumbering& numbering, const std::vector<bool>& open, std::int64_t firstRow,
                  std::int64_t endRow);

}  // namespace prophet::cuda

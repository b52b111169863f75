#pragma once

/// The element-by-element products of the grid builder, for all symmetries at once, compiled for several
/// instruction sets.
namespace prophet {

/// Rows are dealt with in groups of so many: what a register of AVX-512 holds.
constexpr int kRowGroup = 8;

/// Blocks between one grid point i (a column) and points j (rows): first index j, second index i.
/// LS: row of the small, column of the large component; SL the other way round (Breit interaction only).
struct PairBlocks {
  double *ll, *ss, *ls, *sl;
};

/// Kernels between a target and a source symmetry, entry m = j - i; the last three for the Breit interaction
/// (CrossKernels), all or none.
struct KernelCentres {
  const double *direct, *largeFromSmall, *smallFromLarge, *mixed;
};

/// Symmetries that have values at some rows and columns. Blocks: pointers to column 0 of the tile, row 0.
struct ExchangePairs {
  int targets, sources;
  const PairBlocks* brackets;    ///< [target]: results
  const PairBlocks* densities;   ///< [source]
  const KernelCentres* kernels;  ///< [target * sources + source]
  int stride;                    ///< numbers from one column to the next in all blocks
};

/// Rows [first, end), multiples of kRowGroup, and column `column` of a tile whose first point is `tileFirst`.
struct ExchangeStretch {
  int first, end, column, tileFirst;
  bool lsOnly;    ///< leave LL and SS alone
  double factor;  ///< of LL and SS; LS has -1
};

/// brackets[a].ll[j] = factor * sum_b kernels[a, b][j - i] densities[b].ll[j], and so for ss and ls, with the
/// cross terms where there are any. Everything that a density is multiplied by while it is in a register, and
/// every kernel for all components: two loads for each three or four multiplications, where one column of one
/// symmetry after the other takes two loads for each one.
using ExchangeRows = void (*)(const ExchangePairs& pairs, const ExchangeStretch& stretch);

/// The one for this processor.
ExchangeRows exchangeRows();

/// One for each instruction set; the last two where supportsV3(), supportsV4() (linalg/dense_kernels.hpp).
void exchangeRowsBaseline(const ExchangePairs& pairs, const ExchangeStretch& stretch);
void exchangeRowsV3(const ExchangePairs& pairs, const ExchangeStretch& stretch);
void exchangeRowsV4(const ExchangePairs& pairs, const ExchangeStretch& stretch);

}  // namespace prophet

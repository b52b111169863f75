#pragma once
#include <cstdint>

#include "cuda/core/common/check.hpp"

/// Kernels around the products of transition matrices: all matrices are column-major, bra x ket.
namespace prophet::cuda {

/// Energies of the levels of two blocks, hartree, and the points between which operators are interpolated.
struct TransitionGrid {
  int rows = 0, columns = 0, nodes = 0;
  const double *bra = nullptr, *ket = nullptr;  ///< rows, columns
  const double* points = nullptr;               ///< omega^2

  __host__ __device__ std::int64_t size() const { return static_cast<std::int64_t>(rows) * columns; }
};

/// matrix(places[i], columns[i]) = values[i]; the rest must be zero.
void scatter(std::int64_t count, const int* places, const int* columns, const double* values, int rows,
             double* matrix, cudaStream_t stream);

/// sum += P_node(omega^2) omega^power matrix, with P Lagrange's polynomials of the points, `power` 0 or 1.
void addNode(const TransitionGrid& grid, int node, int power, const double* matrix, double* sum,
             cudaStream_t stream);

/// Divides by omega; between levels of one energy the result is 0.
void divideByEnergy(const TransitionGrid& grid, double* matrix, cudaStream_t stream);

/// Which pairs of levels are lines: gf = factor S |omega|^power, S the square of an element.
struct LineGrid {
  TransitionGrid levels;
  bool once = false;  ///< of one block: each pair of levels once, rows behind columns
  double factor = 1, least = 0;
  int power = 1;
};

/// Each column's largest gf.
void largestOfColumns(const LineGrid& grid, const double* length, double* largest, cudaStream_t stream);

/// Each column's number of lines with a gf of `least` or more, and of the others sums of omega^2 gf by
/// their upper level, in the same order every time.
void countLines(const LineGrid& grid, const double* length, int* counts, double* belowBra, double* belowKet,
                cudaStream_t stream);

/// Lines by columns, each column's from starts[column] on in any order.
struct LinePlaces {
  const int* starts = nullptr;
  int *bra = nullptr, *ket = nullptr;
  double *length = nullptr, *velocity = nullptr;  ///< velocity may be nullptr
};
void chooseLines(const LineGrid& grid, const double* length, const double* velocity, const LinePlaces& lines,
                 cudaStream_t stream);

/// sums[n] += square of what log10 of the square of an element changes by from `own` to `moved` (both of
/// `rows` rows), at most `most`.
void addSpreads(int count, const LinePlaces& lines, int rows, const double* own, const double* moved,
                double most, double* sums, cudaStream_t stream);

}  // namespace prophet::cuda

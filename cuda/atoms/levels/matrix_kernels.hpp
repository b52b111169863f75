#pragma once
#include <cstdint>

#include "cuda/core/common/check.hpp"

/// Kernels that make matrices between determinants, and those around products of levels. Matrices are
/// column-major.
namespace prophet::cuda {

/// Where the moves of one- and two-electron operators lead: of place i, singles first[i] .. first[i + 1], of
/// the pair i < j the moves of list places + i * places + j.
struct MoveTable {
  int places = 0;
  const int* first = nullptr;      ///< places + places^2 + 1
  const int* to = nullptr;         ///< k of singles, k + 64 l of pairs
  const double* values = nullptr;  ///< <k|f|i>, <kl|g|ij> - <kl|g|ji>
};

/// Numbers of determinants by open addressing; `mask` + 1 places, a power of two.
struct DeterminantTable {
  unsigned long long* keys = nullptr;
  int* numbers = nullptr;
  unsigned mask = 0;
};

/// Fills a table whose keys are zero.
void insertDeterminants(int count, const unsigned long long* determinants, DeterminantTable table,
                        cudaStream_t stream);

/// Adds the operator's columns first .. first + columns to a matrix of `count` rows: each column by one
/// thread, in the order of the moves, so that sums have the same digits every time.
void applyMoves(const MoveTable& moves, int count, const unsigned long long* determinants,
                const DeterminantTable& table, int first, int columns, double* matrix, cudaStream_t stream);

/// A sum of matrices with factors.
struct MatrixSum {
  static constexpr int kMost = 16;
  int count = 0;
  const double* matrices[kMost] = {};
  double factors[kMost] = {};
};
/// out = sum of these, or out + sum where `adds`.
void sumMatrices(std::int64_t size, const MatrixSum& sum, bool adds, double* out, cudaStream_t stream);

/// matrix(i, i) += values[i].
void addDiagonal(int n, const double* values, double* matrix, cudaStream_t stream);

/// out (count x columns): these rows of a matrix.
void gatherRows(int count, const int* rows, int columns, const double* from, int stride, double* out,
                cudaStream_t stream);
/// out (count x count): these rows and columns.
void gatherBoth(int count, const int* rows, const double* from, int stride, double* out, cudaStream_t stream);

/// out (rows x count): these columns.
void gatherColumns(int rows, int count, const int* columns, const double* from, double* out,
                   cudaStream_t stream);

/// sums[j] = products of the columns j of two matrices.
void columnProducts(int rows, int columns, const double* a, const double* b, double* sums,
                    cudaStream_t stream);

/// What turned() makes of differences of the Hamiltonian between levels.
void turnLevels(int n, const double* values, double* between, cudaStream_t stream);

/// Divides each column by the square root of its sum.
void normaliseColumns(int rows, int columns, const double* squares, double* matrix, cudaStream_t stream);

}  // namespace prophet::cuda

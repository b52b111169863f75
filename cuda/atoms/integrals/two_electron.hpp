#pragma once
#include <cstdint>

#include "cuda/atoms/integrals/stored_basis.hpp"

namespace prophet::cuda {

/// Where a row of a super-matrix begins in device memory, counted in numbers from row 0: every row has room
/// for a multiple of 16 of them, so that it begins on a multiple of 128 bytes, the unit of memory traffic.
__host__ __device__ inline constexpr std::int64_t rowStart(std::int64_t row) {
  return 16 * (row / 16 + 1) * (8 * (row / 16) + row % 16);
}

/// Rows firstRow <= I < endRow of the eight super-matrices in device memory; matrix i (X1 is 0) starts at
/// data + i * stride. `origin`: rowStart(firstRow).
struct SuperMatrixSlab {
  double* data;
  std::int64_t stride, firstRow, endRow, origin;
  /// Elements are numbered as everywhere (pair_index.hpp), without gaps.
  __host__ __device__ std::int64_t first() const { return triangle(firstRow); }
  __host__ __device__ std::int64_t count() const { return triangle(endRow) - triangle(firstRow); }
  __host__ __device__ double* matrix(int i) const { return data + i * stride; }
  /// Where element (row, column) is in a matrix.
  __host__ __device__ std::int64_t place(std::int64_t row, std::int64_t column) const {
    return rowStart(row) - origin + column;
  }
};

/// Numbers that one matrix of a slab takes, room between rows included.
inline std::int64_t slabRoom(std::int64_t firstRow, std::int64_t endRow) {
  return rowStart(endRow) - rowStart(firstRow);
}

/// A slab in `data`, which has room for 8 slabRoom(firstRow, endRow) numbers.
inline SuperMatrixSlab makeSlab(double* data, std::int64_t firstRow, std::int64_t endRow) {
  return {data, slabRoom(firstRow, endRow), firstRow, endRow, rowStart(firstRow)};
}

/// Index arrays of the stored mapping: row (pair I) of every element of a slab, and (L, P, Q) of every pair.
struct IndexArrays {
  const int* row;
  const FunctionPair* functions;
};

/// Fills the index arrays by binary search (Hennessey (2018), algorithms 3-5): `row` gets `count` numbers,
/// those of elements first, first + 1, ...; `functions` one entry for each pair.
void searchIndices(const StoredBasisView& basis, std::int64_t pairs, std::int64_t first, std::int64_t count,
                   int* row, FunctionPair* functions, cudaStream_t stream);

/// Computes the elements of a slab, one thread for one element of all eight matrices; a grid-stride loop over
/// the element index. With `arrays` the mapping is read from them, without (nullptr) it is found by binary
/// search on the fly.
void computeSuperMatrices(const StoredBasis& basis, const SuperMatrixSlab& slab, const IndexArrays* arrays,
                          cudaStream_t stream);

}  // namespace prophet::cuda

#pragma once
#include <cstdint>

#include "cuda/integrals/stored_basis.hpp"

namespace prophet::cuda {

/// Part of the eight super-matrices in device memory: elements first <= t < first + count of each; matrix i
/// (X1 is 0) starts at data + i * stride.
struct SuperMatrixSlab {
  double* data;
  std::int64_t stride, first, count;
  __host__ __device__ double* matrix(int i) const { return data + i * stride; }
};

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

#include "cuda/atoms/integrals/two_electron.hpp"
#include "cuda/core/common/launch.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 128;

/// Element index to pairs of functions by binary searches, with the few numbers they need in constant memory
/// (kernel arguments) and in 32 bits, but for the element index itself.
struct OnTheFly {
  static constexpr int kMostSymmetries = 16;
  int symmetries, offset[kMostSymmetries + 1];

  struct Start {
    const int* offset;
    __device__ int operator()(int i) const { return offset[i]; }
  };
  __device__ FunctionPair functions(int pair) const {
    const int symmetry = lastNotAbove(pair, symmetries, Start{offset});
    const int local = pair - offset[symmetry];
    const int p = lastTriangleNotAbove(local, local + 1);
    return {symmetry, p, local - p * (p + 1) / 2};
  }
  /// The row of element t, and the functions of its row and column.
  __device__ std::int64_t find(std::int64_t t, std::int64_t, FunctionPair& a, FunctionPair& b) const {
    const std::int64_t row = lastTriangleNotAbove<std::int64_t>(t, offset[symmetries]);
    a = functions(static_cast<int>(row));
    b = functions(static_cast<int>(t - triangle(row)));
    return row;
  }
};

OnTheFly makeOnTheFly(const StoredBasis& basis) {
  const PairNumbering numbering = basis.index().view();
  OnTheFly mapping{numbering.symmetries, {}};
  static_assert(OnTheFly::kMostSymmetries > 15, "l <= 7 gives 15 symmetries (see StoredBasis)");
  for (int a = 0; a <= numbering.symmetries; ++a)
    mapping.offset[a] = static_cast<int>(numbering.pairOffset[a]);
  return mapping;
}

/// The same from arrays filled once by searchIndices; `local` counts inside the slab.
struct FromArrays {
  IndexArrays arrays;
  __device__ std::int64_t find(std::int64_t t, std::int64_t local, FunctionPair& a, FunctionPair& b) const {
    const std::int64_t row = arrays.row[local];
    a = arrays.functions[row];
    b = arrays.functions[t - triangle(row)];
    return row;
  }
};

__global__ void searchRows(PairNumbering numbering, std::int64_t first, std::int64_t count, int* row) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < count;
       i += step) {
    row[i] = static_cast<int>(numbering.row(first + i));
  }
}

__global__ void searchFunctions(PairNumbering numbering, std::int64_t pairs, FunctionPair* functions) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < pairs;
       i += step) {
    functions[i] = numbering.functions(i);
  }
}

/// Consecutive threads take consecutive elements, so the eight stores are coalesced; neighbours share the row
/// pair and mostly the symmetries, so polynomial coefficients are broadcasts from the first-level cache.
template <int kDegree, class Mapping>
__global__ void __launch_bounds__(kThreads, 4)
    superMatrixKernel(StoredBasisView basis, SuperMatrixSlab slab, const __grid_constant__ Mapping mapping) {
  const auto* polynomials = static_cast<const PairPolynomials<kDegree>*>(basis.pairPolynomials);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t first = slab.first(), elements = slab.count();
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < elements;
       i += step) {
    FunctionPair a, b;
    const std::int64_t row = mapping.find(first + i, i, a, b);
    const std::int64_t place = slab.place(row, first + i - triangle(row));
    const Primitive* f = basis.primitives + basis.offset[a.symmetry];
    const Primitive* g = basis.primitives + basis.offset[b.symmetry];
    const SuperMatrixElement e = polynomialElement(
        polynomials[a.symmetry * basis.numbering.symmetries + b.symmetry], f[a.p], f[a.q], g[b.p], g[b.q]);
    slab.matrix(0)[place] = e.x1;
    slab.matrix(1)[place] = e.x2;
    slab.matrix(2)[place] = e.x3;
    slab.matrix(3)[place] = e.x4;
    slab.matrix(4)[place] = e.x5;
    slab.matrix(5)[place] = e.x6;
    slab.matrix(6)[place] = e.x7;
    slab.matrix(7)[place] = e.x8;
  }
}

template <int kDegree, class Mapping>
void launch(const StoredBasisView& basis, const SuperMatrixSlab& slab, Mapping mapping, cudaStream_t stream) {
  const int blocks = gridFor(slab.count(), kThreads);
  superMatrixKernel<kDegree><<<blocks, kThreads, 0, stream>>>(basis, slab, mapping);
  PROPHET_CUDA_CHECK_LAUNCH();
}

template <class Mapping>
void launch(const StoredBasis& basis, const SuperMatrixSlab& slab, Mapping mapping, cudaStream_t stream) {
  if (basis.degree() == 5) {
    launch<5>(basis.view(), slab, mapping, stream);
  } else {
    launch<9>(basis.view(), slab, mapping, stream);
  }
}

}  // namespace

void searchIndices(const StoredBasisView& basis, std::int64_t pairs, std::int64_t first, std::int64_t count,
                   int* row, FunctionPair* functions, cudaStream_t stream) {
  if (count == 0) return;
  searchRows<<<gridFor(count, kThreads), kThreads, 0, stream>>>(basis.numbering, first, count, row);
  PROPHET_CUDA_CHECK_LAUNCH();
  searchFunctions<<<gridFor(pairs, kThreads), kThreads, 0, stream>>>(basis.numbering, pairs, functions);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void computeSuperMatrices(const StoredBasis& basis, const SuperMatrixSlab& slab, const IndexArrays* arrays,
                          cudaStream_t stream) {
  if (slab.count() == 0) return;
  if (arrays) {
    launch(basis, slab, FromArrays{*arrays}, stream);
  } else {
    launch(basis, slab, makeOnTheFly(basis), stream);
  }
}

}  // namespace prophet::cuda

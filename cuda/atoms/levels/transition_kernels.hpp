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

}  // namespace prophet::cuda

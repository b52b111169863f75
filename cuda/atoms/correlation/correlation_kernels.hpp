#pragma once
#include <cstdint>

#include "cuda/core/common/check.hpp"

/// Kernels around the products of matrices that make radial integrals.
namespace prophet::cuda {

/// P and Q of some spinors at the points of a mesh, a column for each; Q may be null.
struct SpinorColumns {
  const double *large = nullptr, *small = nullptr;
};

/// density (points x count) = P_a P_s + Q_a Q_s of one spinor with each of the columns.
void makeDensities(int points, int count, SpinorColumns a, SpinorColumns columns, double* density,
                   cudaStream_t stream);

/// Integrals of several ranks for two targets i, j: first[rank ofRank + i ofRow + j ofColumn].
struct IntegralView {
  const double* first = nullptr;
  std::int64_t ofRank = 0, ofRow = 0, ofColumn = 0;
  int ranks = 0;
};

/// What the excitations to some targets have in common: the factor of their squares, and the quadratic form
/// of PairAngles, column-major. A factor of 0 leaves them out.
struct PairClass {
  double factor = 0;
  const double* form = nullptr;
};

/// All excitations of two spinors to two symmetries.
struct PairTask {
  IntegralView direct, exchange;
  int rows = 0, columns = 0;          ///< targets
  int openRows = 0, openColumns = 0;  ///< the first ones, each a class by itself; all others are one class
  const double *rowEnergies = nullptr, *columnEnergies = nullptr;
  double energy = 0;                   ///< of the two spinors
  const PairClass* classes = nullptr;  ///< (openRows + 1) x (openColumns + 1), column-major
};

/// For each task the sum of -factor x^T M x / excitation with x of `direct`, then `exchange`, in an order
/// that depends on nothing, and the smallest excitation that added to it (infinity: none).
void addExcitations(int tasks, const PairTask* list, double* sums, double* gaps, cudaStream_t stream);

/// Terms of a self-energy: for each of `count` spinors p a column of `ranks` blocks of rows x columns
/// integrals.
struct SigmaBlocks {
  int count = 0, ranks = 0, rows = 0, columns = 0;
  const double* form = nullptr;  ///< ranks x ranks, symmetric
  const double *rowEnergies = nullptr,
               *columnEnergies = nullptr;  ///< the latter null where there is one column
  double factor = 0, base = 0, sign = 0;   ///< as in SigmaWeights

  __host__ __device__ std::int64_t area() const { return static_cast<std::int64_t>(rows) * columns; }
};

/// mixed_j = w sum_i M_ij x_i with x and `mixed` of the same shape and w the weight of a row and a column.
void mixRanks(const SigmaBlocks& blocks, const double* x, double* mixed, cudaStream_t stream);

}  // namespace prophet::cuda

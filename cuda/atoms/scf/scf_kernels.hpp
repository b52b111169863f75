#pragma once
#include <cstdint>

#include "atoms/scf/convergence.hpp"
#include "cuda/core/common/check.hpp"

/// Kernels of the SCF. All matrices of a calculation are padded to one size: `half` rows for large functions,
/// then `half` for small ones, both primitives and orthonormal functions, so that one batched call serves all
/// symmetries. Padding is zero everywhere, but on the diagonal of eigenproblems. Matrices are column-major,
/// dim x dim with dim = 2 half, one symmetry after the other; coefficients of occupied spinors are
/// dim x columns.
namespace prophet::cuda {

struct ScfShape {
  int symmetries, half, columns;
  __host__ __device__ int dim() const { return 2 * half; }
  __host__ __device__ std::int64_t matrix() const { return static_cast<std::int64_t>(dim()) * dim(); }
  __host__ __device__ std::int64_t block() const { return static_cast<std::int64_t>(dim()) * columns; }
};

/// One symmetry: primitives, orthonormal large and small functions, spinors (closed ones, then the open one).
struct SymmetryData {
  int functions, large, small, occupied, closed, open;
  std::int64_t firstPair;
  double degeneracy, openElectrons;
};

/// What one symmetry adds to the energy and to the convergence measures of an iteration.
struct SymmetryMeasures {
  double core, nuclear, momentum, twoElectron;  ///< momentum: <c alpha.p>
  double changeLL, changeSL, changeSS, gradient;
};

/// Coefficients of the occupied spinors from eigenvectors: those after the `small` negative-energy ones.
void pickOccupied(const ScfShape& shape, const SymmetryData* data, const double* vectors,
                  double* coefficients, cudaStream_t stream);

/// Whether findOccupied has instances and shared memory for this shape; else EigenBatch and pickOccupied do
/// it.
bool canFindOccupied(const ScfShape& shape);
/// Coefficients of the occupied spinors: the first eigenvectors above the negative-energy ones. `known`:
/// `coefficients` holds vectors near them. Adds to `failures` (device) those that could not be isolated.
void findOccupied(const ScfShape& shape, const SymmetryData* data, const double* matrices, bool known,
                  double* coefficients, int* failures, cudaStream_t stream);

/// density = C n C^T; `occupations`: symmetries x columns.
void makeDensities(const ScfShape& shape, const double* coefficients, const double* occupations,
                   double* density, cudaStream_t stream);

/// Densities over primitives as vectors over pairs (see packDensity), from coefficients over primitives.
/// `open` may be null: then only `total` is made.
void packDensities(const ScfShape& shape, const SymmetryData* data, const double* coefficients,
                   const double* occupations, double* total, double* open, cudaStream_t stream);

/// Full symmetric matrices over primitives from vectors over pairs (see unpackFock).
void unpackPairs(const ScfShape& shape, const SymmetryData* data, const double* pairs, double* matrices,
                 cudaStream_t stream);

/// Effective Fock matrices and gradients (see effectiveFock). `open` (Q in the orthonormal basis) is read
/// only where a symmetry has an open spinor. `work`: symmetries x (columns + 5) x dim.
void makeEffectiveFock(const ScfShape& shape, const SymmetryData* data, const double* coefficients,
                       const double* fock, const double* open, double* work, double* effective,
                       double* gradient, cudaStream_t stream);

/// Energies, density changes (then density replaces oldDensity) and the largest gradient element.
void measure(const ScfShape& shape, const SymmetryData* data, const double* coefficients, const double* core,
             const double* nuclear, const double* fock, const double* open, const double* density,
             double* oldDensity, const double* gradient, SymmetryMeasures* measures, cudaStream_t stream);

/// out[n] = sum over all elements of a[n] b, for n < count; `a`: pointers to arrays of `size` elements.
struct History {
  const double* entry[kDiisDepth];
};
void dotProducts(const History& a, const double* b, std::int64_t size, int count, double* out,
                 cudaStream_t stream);

struct Coefficients {
  double value[kDiisDepth];
};
/// out = sum_n coefficient_n a[n], element by element; `out` may be one of them.
void combine(const History& a, const Coefficients& coefficients, std::int64_t size, int count, double* out,
             cudaStream_t stream);

/// mixed = the combination of `stored` Fock matrices of `size` elements with the least error, from their
/// errors, of which number `newest` is new; see prophet::diisCombination. `work` keeps the scalar products
/// between calls: diisWorkSize() numbers.
int diisWorkSize();
void combineByDiis(const History& focks, const History& errors, int newest, int stored, std::int64_t size,
                   double* work, double* mixed, cudaStream_t stream);

/// Puts `value` on the diagonal of the padding, where it keeps empty directions away from occupied spinors.
void padDiagonal(const ScfShape& shape, const SymmetryData* data, double value, double* matrices,
                 cudaStream_t stream);

/// energies[symmetry x columns] = C_i^T F C_i.
void expectationValues(const ScfShape& shape, const double* coefficients, const double* fock,
                       double* energies, cudaStream_t stream);

}  // namespace prophet::cuda

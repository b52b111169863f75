#pragma once
#include "atoms/scf/screening.hpp"
#include "cuda/atoms/integrals/one_electron_kernel.hpp"
#include "cuda/atoms/scf/scf_kernels.hpp"

/// What an SCF needs before its first iteration, in the padded form of scf_kernels.hpp. `blocks`,
/// `oneElectron`: see computeOneElectron; `primitives`: all symmetries' one after the other.
namespace prophet::cuda {

/// Whether orthonormalise has the shared memory that it needs.
bool canOrthonormalise(const ScfShape& shape);

/// Cholesky orthonormalisation of the large and the small functions of each symmetry: `space` gets X = U^-1
/// (its other elements must be zero), `dual` the small component's U (symmetries x half x half,
/// column-major), `norms` the squared norms of both X, infinite where an overlap is not positive definite
/// (2 x symmetries; see prophet::orthonormalise for what they decide).
void orthonormalise(const ScfShape& shape, const OneElectronBlock* blocks, const double* oneElectron,
                    double* space, double* dual, double* norms, cudaStream_t stream);

/// Nuclear attraction over primitives; what of `matrices` belongs to no function stays as it is.
void padAttraction(const ScfShape& shape, const OneElectronBlock* blocks, const double* oneElectron,
                   double* matrices, cudaStream_t stream);

/// core = nuclear + kinetic blocks - 2c^2, all in the orthonormal basis.
void makeCore(const ScfShape& shape, const SymmetryData* data, const OneElectronBlock* blocks,
              const Primitive* primitives, const double* space, const double* dual, const double* nuclear,
              double c, double* core, cudaStream_t stream);

/// One symmetry's tabulated screening, if it has one.
struct SymmetryScreening {
  double rates[kScreeningTerms], charges[kScreeningTerms];
  int tabulated;
};
/// Grid of the screening matrices, r_i = first exp(i h), and the atom.
struct GuessGrid {
  double first, h;
  int points;
  double nuclearCharge, electrons;
};
/// Matrices of the screening potential over primitives (LL and SS). Work: `functions` symmetries x 2 x points
/// x half, `potential` symmetries x points.
void makeScreening(const ScfShape& shape, const OneElectronBlock* blocks, const Primitive* primitives,
                   const SymmetryScreening* screenings, const GuessGrid& grid, double* functions,
                   double* potential, double* matrices, cudaStream_t stream);

}  // namespace prophet::cuda

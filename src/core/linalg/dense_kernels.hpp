#pragma once

namespace prophet {

/// Dense linear algebra that is compiled for several instruction sets, behind functions of plain pointers:
/// matrices by columns, `ld` numbers from one column to the next. One table for each instruction set.
struct DenseKernels {
  const char* name;
  /// C = A B (m x k, k x n), or C += A B; with A or B stored transposed where told (not both).
  void (*product)(bool aTransposed, bool bTransposed, int m, int n, int k, const double* a, int lda,
                  const double* b, int ldb, double* c, int ldc, bool add);
  /// Householder form of a symmetric matrix (n x n, lower triangle read), which is overwritten by the
  /// reflectors; d: diagonal (n), e: subdiagonal and tau: factors of the reflectors (n - 1 each).
  void (*tridiagonalise)(int n, double* a, double* d, double* e, double* tau);
  /// C = Q C (n x columns), Q of tridiagonalise.
  void (*applyReflectors)(int n, const double* a, const double* tau, int columns, double* c);
  /// Lower Cholesky factor in place (the upper triangle is left alone); false: not positive definite.
  bool (*cholesky)(int n, double* a);
  /// LU factors with partial pivoting in place; false: singular.
  bool (*luFactors)(int n, double* a, int* rowOf);
  /// Solution of A X = B in place of `b` (n x columns), from the factors.
  void (*luSolve)(int n, const double* a, const int* rowOf, int columns, double* b);
  /// Eigenvalues number first to first + count - 1 (ascending) of a symmetric matrix (n x n, lower triangle
  /// read), and their vectors (n x count) unless that is null. Fastest for a few pairs of small matrices.
  /// False: the vectors are not orthogonal (eigenvalues too close) or the numbers not finite.
  bool (*eigenpairs)(int n, const double* matrix, int first, int count, double* values, double* vectors);
  /// targets[t][i] += (sum_m weights[m] matrices[m][i]) sources[t][i], i < size: weighted sums of `terms`
  /// matrices, element by element times each of `products` sources. Targets overlap with nothing.
  void (*addElementProducts)(int size, int terms, const double* weights, const double* const* matrices,
                             int products, const double* const* sources, double* const* targets);
};

/// Those for this processor.
const DenseKernels& denseKernels();

/// Whether this processor runs x86-64-v3 (AVX2, FMA) and x86-64-v4 (AVX-512).
bool supportsV3();
bool supportsV4();

extern const DenseKernels kBaselineKernels;
extern const DenseKernels kKernelsV3, kKernelsV4;  ///< on x86-64 alone

}  // namespace prophet

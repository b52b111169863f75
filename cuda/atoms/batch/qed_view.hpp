#pragma once

/// Plain data of the QED corrections that host and kernels share. A correction is a sum of potentials, each
/// known at the points r_j = exp(j kQedSpacing) and multiplied with a factor that depends on the symmetry;
/// one that couples the components acts between large and small ones.
namespace prophet::cuda::batch {

/// Spacing in ln r, that of qed/qed.cpp, and the points from 1e-14 bohr to 1000.
constexpr double kQedSpacing = 0.04;
constexpr int kQedFirst = -805, kQedPoints = 978;
/// Uehling, Kallen-Sabry, Wichmann-Kroll, and three for the self-energy.
constexpr int kMostQedVectors = 6, kMostQedParts = 4;

struct QedShape {
  int vectors;                   ///< potentials; 0: no corrections
  int parts;                     ///< of the energy
  int inScf;                     ///< whether the Fock matrices have them
  int part[kMostQedVectors];     ///< which part of the energy a potential belongs to
  int couples[kMostQedVectors];  ///< 1: between large and small components
};

/// A slot's QED input: first j and number of points, factors (vectors x kMaxSymmetries), and then, vector by
/// vector, the values at that many points.
enum QedInput { kQedStart, kQedCount, kQedFactors };

/// Device pointers, laid out as those of View; matrices are LL, SS and LS, n x n each, over the primitives.
struct QedView {
  QedShape shape;
  double *input, *matrices, *parts;  ///< parts: symmetries x kMostQedParts for each slot
  int inputSize, matrixSize;
};

}  // namespace prophet::cuda::batch

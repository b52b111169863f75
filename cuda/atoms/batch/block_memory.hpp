#pragma once
#include "cuda/atoms/batch/view.hpp"

/// Tiles of the batch kernels and the dynamic shared memory of their blocks, in doubles. Stated once: the
/// kernels, their launchers and the decision which calculations fit on a device (shape.cpp) all read them
/// here.
namespace prophet::cuda::batch {

constexpr int larger(int a, int b) { return a > b ? a : b; }
constexpr int bytesOf(int doubles) { return doubles * static_cast<int>(sizeof(double)); }

/// What the largest of a shape's symmetries needs.
template <class Need>
constexpr int mostOfSymmetries(const Shape& s, Need need) {
  int most = 0;
  for (int a = 0; a < s.symmetries; ++a) most = larger(most, need(s.n[a], s.m[a]));
  return most;
}

/// setUpSpace: an n x n matrix. addToCore (QED): the same.
constexpr int squareDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int) { return n * n; });
}

/// evaluateFunctions: all components of the functions at so many points.
constexpr int kFunctionRows = 16;
constexpr int functionDoubles(const Shape& s) {
  return mostOfSymmetries(s, [&s](int n, int) { return s.components * kFunctionRows * n; });
}

/// tableMatrices: functions and potentials at so many points.
constexpr int kTableRows = 16;
constexpr int tableDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int) { return kTableRows * (n + 1); });
}

/// guessHamiltonian: a weight for each point.
constexpr int guessDoubles(const Shape& s) { return s.points; }

/// projectStart: n x n overlaps, and two m x 2n matrices.
constexpr int startDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int m) { return n * n + 4 * m * n; });
}

/// evaluateOrbitals: coefficients, and functions at so many points, whose rows are one double longer than n.
constexpr int kOrbitalRows = 32;
constexpr int orbitalDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int m) { return m * n + kOrbitalRows * (n + 1); });
}

/// potentials: vectors over the points.
constexpr int potentialDoubles(const Shape& s) { return 6 * s.points; }

/// functionalPotential: the density and its slope.
constexpr int functionalDoubles(const Shape& s) { return 2 * s.points; }

/// projectLocal: two vectors over the points, and an n x (n + 1) matrix.
constexpr int localProjectionDoubles(const Shape& s) {
  return mostOfSymmetries(s, [&s](int n, int) { return 2 * s.points + n * (n + 1); });
}

/// The projection and the Breit energies go by strips of so many rows; the brackets of the exchange end with
/// a strip.
constexpr int kStrip = 16;

/// exchangeTile: kernels of a tile of kExchangeRows x kExchangeColumns points (Coulomb exchange, and the four
/// of Breit, for each pair of symmetries), and both components of every orbital at its rows and columns. From
/// one orbital to the next it is four doubles more, so that the fragments of four meet different banks.
constexpr int kExchangeRows = kStrip, kExchangeColumns = 2 * kStrip;
constexpr int kExchangeWindow = kExchangeRows + kExchangeColumns - 1;
constexpr int kOrbitalAtRows = 2 * kExchangeRows + 4, kOrbitalAtColumns = 2 * kExchangeColumns + 4;
/// All that a tile has of one orbital, with its occupation; of two slots at a time.
constexpr int kTileOrbital = kOrbitalAtRows + kOrbitalAtColumns + 1;
constexpr int exchangeKernels(int symmetries, bool breit) {
  return symmetries * (symmetries + 1) / 2 * (breit ? 1 + kCrossKernels : 1);
}
constexpr int exchangeDoubles(const Shape& s) {
  return exchangeKernels(s.symmetries, s.breitInScf != 0) * kExchangeWindow +
         2 * s.firstOrbital[s.symmetries] * kTileOrbital;
}

/// project: w phi, whose rows are two doubles longer than n, so that the four k of a fragment meet different
/// banks, and an n x (n + 1) matrix.
constexpr int projectionRow(int n) { return n + 2; }
constexpr int projectionDoubles(const Shape& s) {
  return mostOfSymmetries(s, [&s](int n, int) { return s.points * projectionRow(n) + n * (n + 1); });
}

/// finishFock: three m x 2n matrices and two vectors.
constexpr int decisionDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int m) { return 2 * n * (3 * m + 2); });
}

/// A packed triangle of `size` rows (packed_ldl.cuh): room for reads of a column's idle lanes past its end,
/// on a multiple of 16 bytes, and behind it the weights of a panel of columns that are eliminated together.
constexpr int kPanel = 4;
constexpr int panelWeights(int size) { return (size * (size + 1) / 2 + 65) / 2 * 2; }
constexpr int packedDoubles(int size) { return panelWeights(size) + kPanel * size; }

/// eigenvectors: a packed triangle of 2n rows.
constexpr int eigenDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int) { return packedDoubles(2 * n); });
}

/// qedMatrices: functions and potentials at so many points; qedExpectations: functions and coefficients.
constexpr int kQedRows = 32;
constexpr int qedMatrixDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int) { return 2 * kQedRows * n + kQedRows; });
}
constexpr int qedExpectationDoubles(const Shape& s) {
  return mostOfSymmetries(s, [](int n, int m) { return 2 * n * (kQedRows + m); });
}

/// The most that any block of any kernel takes.
constexpr int mostSharedDoubles(const Shape& s) {
  int most = 0;
  for (const int need : {squareDoubles(s), functionDoubles(s), tableDoubles(s), guessDoubles(s),
                         startDoubles(s), orbitalDoubles(s), decisionDoubles(s), eigenDoubles(s),
                         qedMatrixDoubles(s), qedExpectationDoubles(s)})
    most = larger(most, need);
  if (s.functional != 0) return larger(most, larger(functionalDoubles(s), localProjectionDoubles(s)));
  for (const int need : {potentialDoubles(s), exchangeDoubles(s), projectionDoubles(s)})
    most = larger(most, need);
  return most;
}

}  // namespace prophet::cuda::batch

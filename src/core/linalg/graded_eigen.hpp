#pragma once
#include <Eigen/Core>

namespace prophet {

/// Whether a symmetric matrix has elements above `large`: a plain eigensolver, which works to the rounding of
/// the largest, would spoil the eigenvalues near zero.
bool needsGradedSolution(const Eigen::MatrixXd& matrix, double large);

/// Inverse of matrix - sigma (lower triangle read), from a factorisation of the matrix scaled to a unit
/// diagonal, so that rows of all sizes keep their digits. The eigenvalues next above sigma are its largest.
Eigen::MatrixXd shiftedInverse(const Eigen::MatrixXd& matrix, double sigma);

}  // namespace prophet

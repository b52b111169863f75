#pragma once
#include <Eigen/Core>

namespace prophet {

/// An orthonormal basis of the span of n functions with overlap S, in two dual forms.
struct OrthonormalBasis {
  Eigen::MatrixXd x;     ///< n x m: orthonormal functions over the given ones, x^T S x = 1
  Eigen::MatrixXd dual;  ///< m x n: x^T S, computed without multiplying by S where possible (keeps digits)
  int dropped = 0;       ///< n - m near-dependent directions removed
};

/// Cholesky orthonormalisation of a positive overlap matrix with unit diagonal. Where its smallest eigenvalue
/// may be below `threshold`, canonical orthonormalisation instead, without the directions below it (Lowdin
/// 1956). Throws Error if S contains not-a-number.
OrthonormalBasis orthonormalise(const Eigen::MatrixXd& overlap, double threshold);

}  // namespace prophet

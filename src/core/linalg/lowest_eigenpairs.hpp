#pragma once
#include <Eigen/Core>
#include <functional>

namespace prophet {

/// A symmetric matrix that is known by its diagonal and by its products with columns.
struct SymmetricOperator {
  /// Residuals are divided by eigenvalue less diagonal element, which must not vanish.
  Eigen::VectorXd diagonal;
  std::function<Eigen::MatrixXd(const Eigen::Ref<const Eigen::MatrixXd>& columns)> multiply;
};

/// Sizes and limits of Davidson's method.
struct DavidsonLimits {
  Eigen::Index fewest = 0, most = 0;  ///< vectors of its space after and before it is made small again
  int iterations = 0;
  double residual = 0;
};

struct LowestEigenpairs {
  bool found = false;
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< rows x values
};

/// The lowest `count` eigenpairs by Davidson's method (E. R. Davidson, J. Comput. Phys. 17 (1975) 87;
/// Spectra) from orthonormal columns. It is compiled once here, as Spectra's takes seconds in every source
/// that names it.
LowestEigenpairs lowestEigenpairs(const SymmetricOperator& matrix, const Eigen::MatrixXd& start,
                                  Eigen::Index count, const DavidsonLimits& limits);

}  // namespace prophet

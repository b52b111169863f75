#include "core/linalg/graded_eigen.hpp"

#include <Eigen/LU>

namespace prophet {

bool needsGradedSolution(const Eigen::MatrixXd& matrix, double large) {
  return matrix.size() > 0 && matrix.diagonal(-1).size() > 0 &&
         matrix.triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff() > large;
}

Eigen::MatrixXd shiftedInverse(const Eigen::MatrixXd& matrix, double sigma) {
  Eigen::MatrixXd shifted = matrix.selfadjointView<Eigen::Lower>();
  shifted.diagonal().array() -= sigma;
  const Eigen::VectorXd scale =
      shifted.cwiseAbs().colwise().maxCoeff().transpose().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * shifted * scale.asDiagonal();
  const Eigen::MatrixXd inverse = scale.asDiagonal() * scaled.partialPivLu().inverse() * scale.asDiagonal();
  return 0.5 * (inverse + inverse.transpose());
}

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

/// Columns of a matrix that all others are combinations of: matrix = matrix(:, columns) * coefficients.
struct ColumnBasis {
  std::vector<Eigen::Index> columns;
  Eigen::MatrixXd coefficients;
};
/// By QR factors with column pivoting, whose pivots end at this share of the largest one.
ColumnBasis columnBasis(const Eigen::MatrixXd& matrix, double threshold);

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <random>

namespace prophet::test {

/// Elements between -1 and 1; the same in every run for a seed.
inline Eigen::MatrixXd randomMatrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 random(seed);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random() / 2147483648.0 - 1.0; });
}

}  // namespace prophet::test

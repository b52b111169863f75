#pragma once
#include <Eigen/Core>

namespace prophet {

/// Blocks of one symmetry's matrix over the primitive basis: large-large (n x n, symmetric), large-small
/// (rows large, columns small; n x n) and small-small (n x n, symmetric). SL is the transpose of LS.
struct BlockMatrix {
  Eigen::MatrixXd LL, LS, SS;

  void resize(int large, int small) {
    LL.resize(large, large);
    LS.resize(large, small);
    SS.resize(small, small);
  }
  void setZero() {
    LL.setZero();
    LS.setZero();
    SS.setZero();
  }
};

}  // namespace prophet

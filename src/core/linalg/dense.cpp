#include "core/linalg/dense.hpp"

#include "core/linalg/dense_kernels.hpp"

namespace prophet {
namespace {

int stride(const MatrixIn& m) { return static_cast<int>(m.outerStride()); }

void call(bool aTransposed, bool bTransposed, const MatrixIn& a, const MatrixIn& b, MatrixOut& out,
          bool add) {
  const int depth = static_cast<int>(aTransposed ? a.rows() : a.cols());
  denseKernels().product(aTransposed, bTransposed, static_cast<int>(out.rows()), static_cast<int>(out.cols()),
                         depth, a.data(), stride(a), b.data(), stride(b), out.data(),
                         static_cast<int>(out.outerStride()), add);
}

}  // namespace

void product(const MatrixIn& a, const MatrixIn& b, MatrixOut out) { call(false, false, a, b, out, false); }
void productTN(const MatrixIn& a, const MatrixIn& b, MatrixOut out) { call(true, false, a, b, out, false); }
void productNT(const MatrixIn& a, const MatrixIn& b, MatrixOut out) { call(false, true, a, b, out, false); }
void addProduct(const MatrixIn& a, const MatrixIn& b, MatrixOut out) { call(false, false, a, b, out, true); }

Eigen::MatrixXd multiply(const MatrixIn& a, bool transposeA, const MatrixIn& b, bool transposeB) {
  Eigen::MatrixXd c(transposeA ? a.cols() : a.rows(), transposeB ? b.rows() : b.cols());
  if (transposeA) {
    productTN(a, b, c);
  } else if (transposeB) {
    productNT(a, b, c);
  } else {
    product(a, b, c);
  }
  return c;
}

LuFactors::LuFactors(Eigen::MatrixXd matrix)
    : factors_(std::move(matrix)), rowOf_(static_cast<std::size_t>(factors_.rows())) {
  singular_ = !denseKernels().luFactors(static_cast<int>(factors_.rows()), factors_.data(), rowOf_.data());
}

Eigen::MatrixXd LuFactors::solve(Eigen::MatrixXd right) const {
  denseKernels().luSolve(static_cast<int>(factors_.rows()), factors_.data(), rowOf_.data(),
                         static_cast<int>(right.cols()), right.data());
  return right;
}

bool choleskyInPlace(Eigen::MatrixXd& matrix) {
  if (!denseKernels().cholesky(static_cast<int>(matrix.rows()), matrix.data())) return false;
  for (Eigen::Index j = 1; j < matrix.cols(); ++j) matrix.col(j).head(j).setZero();
  return true;
}

}  // namespace prophet

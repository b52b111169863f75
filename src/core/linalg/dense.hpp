#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

using MatrixIn = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using MatrixOut = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// Products with the kernels that are best for this processor; Eigen's own `*` is compiled for the oldest
/// one. `out` has the product's shape and overlaps neither factor.
void product(const MatrixIn& a, const MatrixIn& b, MatrixOut out);     ///< out = a b
void productTN(const MatrixIn& a, const MatrixIn& b, MatrixOut out);   ///< out = a^T b
void productNT(const MatrixIn& a, const MatrixIn& b, MatrixOut out);   ///< out = a b^T
void addProduct(const MatrixIn& a, const MatrixIn& b, MatrixOut out);  ///< out += a b
/// a b, either factor transposed on request, but not both.
Eigen::MatrixXd multiply(const MatrixIn& a, bool transposeA, const MatrixIn& b, bool transposeB);

/// LU factors of a square matrix with partial pivoting.
class LuFactors {
 public:
  explicit LuFactors(Eigen::MatrixXd matrix);
  bool singular() const { return singular_; }
  /// Solution of A X = B.
  Eigen::MatrixXd solve(Eigen::MatrixXd right) const;

 private:
  Eigen::MatrixXd factors_;
  std::vector<int> rowOf_;
  bool singular_;
};

/// Lower Cholesky factor in place of the matrix, zero above the diagonal; false unless positive definite.
bool choleskyInPlace(Eigen::MatrixXd& matrix);

}  // namespace prophet

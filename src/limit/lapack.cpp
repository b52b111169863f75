#include "limit/lapack.hpp"

#include <string>

#include "common/error.hpp"

extern "C" {
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dgetrs_(const char*, const int*, const int*, const double*, const int*, const int*, double*, const int*,
             int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dsytrf_(const char*, const int*, double*, const int*, int*, double*, const int*, int*);
void dsyevr_(const char*, const char*, const char*, const int*, double*, const int*, const double*,
             const double*, const int*, const int*, const double*, int*, double*, double*, const int*, int*,
             double*, const int*, int*, const int*, int*);
}

namespace prophet::limit {
namespace {

void check(int info, const char* routine) {
  if (info == 0) return;
  throw Error(std::string("the numerical limit: LAPACK ") + routine + " failed with info = " +
              std::to_string(info) + "; try another resolution (LimitOptions::density)");
}

}  // namespace

Eigen::MatrixXd multiply(const Eigen::MatrixXd& a, bool transposeA, const Eigen::MatrixXd& b,
                         bool transposeB) {
  Eigen::MatrixXd c(transposeA ? a.cols() : a.rows(), transposeB ? b.rows() : b.cols());
  if (transposeA && transposeB) {
    c.noalias() = a.transpose() * b.transpose();
  } else if (transposeA) {
    c.noalias() = a.transpose() * b;
  } else if (transposeB) {
    c.noalias() = a * b.transpose();
  } else {
    c.noalias() = a * b;
  }
  return c;
}

LuFactors::LuFactors(Eigen::MatrixXd matrix) : factors_(std::move(matrix)), pivots_(factors_.rows()) {
  const int n = static_cast<int>(factors_.rows());
  int info = 0;
  dgetrf_(&n, &n, factors_.data(), &n, pivots_.data(), &info);
  check(info, "dgetrf");
}

Eigen::MatrixXd LuFactors::solve(Eigen::MatrixXd right) const {
  const int n = static_cast<int>(factors_.rows()), columns = static_cast<int>(right.cols());
  int info = 0;
  dgetrs_("N", &n, &columns, factors_.data(), &n, pivots_.data(), right.data(), &n, &info);
  check(info, "dgetrs");
  return right;
}

Eigen::MatrixXd choleskyFactor(Eigen::MatrixXd matrix) {
  const int n = static_cast<int>(matrix.rows());
  int info = 0;
  dpotrf_("L", &n, matrix.data(), &n, &info);
  check(info, "dpotrf");
  for (int j = 1; j < n; ++j) matrix.col(j).head(j).setZero();
  return matrix;
}

int countPositiveEigenvalues(Eigen::MatrixXd matrix) {
  const int n = static_cast<int>(matrix.rows()), query = -1;
  std::vector<int> pivots(n);
  double work = 0;
  int info = 0;
  dsytrf_("L", &n, matrix.data(), &n, pivots.data(), &work, &query, &info);
  check(info, "dsytrf");
  const int size = static_cast<int>(work);
  std::vector<double> space(size);
  dsytrf_("L", &n, matrix.data(), &n, pivots.data(), space.data(), &size, &info);
  check(info, "dsytrf");
  int positive = 0;
  for (int i = 0; i < n; ++i) {
    if (pivots[i] > 0) {
      positive += matrix(i, i) > 0 ? 1 : 0;
      continue;
    }
    const double a = matrix(i, i), b = matrix(i + 1, i), d = matrix(i + 1, i + 1);  // a block of two rows
    positive += a * d < b * b ? 1 : (a > 0 ? 2 : 0);
    ++i;
  }
  return positive;
}

Eigenpairs largestEigenpairs(Eigen::MatrixXd matrix, int count) {
  const int n = static_cast<int>(matrix.rows()), first = n - count + 1;
  const double unused = 0, tolerance = 0;
  Eigen::VectorXd values(n);
  Eigen::MatrixXd vectors(n, count);
  std::vector<int> support(2 * n);
  double work = 0;
  int found = 0, info = 0, integerWork = 0, query = -1;
  dsyevr_("V", "I", "L", &n, matrix.data(), &n, &unused, &unused, &first, &n, &tolerance, &found,
          values.data(), vectors.data(), &n, support.data(), &work, &query, &integerWork, &query, &info);
  check(info, "dsyevr");
  const int size = static_cast<int>(work), integerSize = integerWork;
  std::vector<double> space(size);
  std::vector<int> integerSpace(integerSize);
  dsyevr_("V", "I", "L", &n, matrix.data(), &n, &unused, &unused, &first, &n, &tolerance, &found,
          values.data(), vectors.data(), &n, support.data(), space.data(), &size, integerSpace.data(),
          &integerSize, &info);
  check(info, "dsyevr");
  return {values.head(count).reverse(), vectors.rowwise().reverse()};
}

}  // namespace prophet::limit

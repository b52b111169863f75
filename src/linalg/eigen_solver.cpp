#include "linalg/eigen_solver.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

extern "C" void dsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a,
                        const int* lda, const double* vl, const double* vu, const int* il, const int* iu,
                        const double* abstol, int* m, double* w, double* z, const int* ldz, int* isuppz,
                        double* work, const int* lwork, int* iwork, const int* liwork, int* info);

namespace prophet {
namespace {

/// Doubles per row of the matrix that dsyevr likes to have (26 is its least; 34 lets dsytrd work in blocks).
constexpr int kWorkPerRow = 34;
constexpr int kIntegerWorkPerRow = 10;

}  // namespace

void EigenSolver::solve(Eigen::MatrixXd& matrix, int first, int count, Eigen::VectorXd& values,
                        Eigen::MatrixXd& vectors) {
  const int n = static_cast<int>(matrix.rows());
  if (static_cast<int>(allValues_.size()) < n) {
    work_.resize(static_cast<std::size_t>(kWorkPerRow) * n);
    integerWork_.resize(static_cast<std::size_t>(kIntegerWorkPerRow) * n);
    support_.resize(2 * static_cast<std::size_t>(n));
    allValues_.resize(n);
  }
  values.resize(count);
  vectors.resize(n, count);
  if (count == 0) return;
  const int il = first + 1, iu = first + count, lwork = static_cast<int>(work_.size());
  const int liwork = static_cast<int>(integerWork_.size());
  const double unused = 0.0, tolerance = 0.0;
  int found = 0, info = 0;
  dsyevr_("V", "I", "L", &n, matrix.data(), &n, &unused, &unused, &il, &iu, &tolerance, &found,
          allValues_.data(), vectors.data(), &n, support_.data(), work_.data(), &lwork, integerWork_.data(),
          &liwork, &info);
  if (info != 0 || found != count) {
    throw Error(
        fmt::format("an eigenproblem of size {} failed (LAPACK dsyevr, info {}); the Fock matrix probably "
                    "holds not-a-number: check the exponents for extreme values",
                    n, info));
  }
  for (int i = 0; i < count; ++i) values(i) = allValues_[i];
}

}  // namespace prophet

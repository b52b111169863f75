#include "core/linalg/lowest_eigenpairs.hpp"

#include <Spectra/DavidsonSymEigsSolver.h>

namespace prophet {
namespace {

/// The matrix as Spectra asks for it.
struct Seen {
  using Scalar = double;
  const SymmetricOperator& matrix;

  Eigen::Index rows() const { return matrix.diagonal.size(); }
  Eigen::Index cols() const { return matrix.diagonal.size(); }
  double operator()(Eigen::Index i, Eigen::Index) const { return matrix.diagonal(i); }
  Eigen::MatrixXd operator*(const Eigen::Ref<const Eigen::MatrixXd>& columns) const {
    return matrix.multiply(columns);
  }
};

}  // namespace

LowestEigenpairs lowestEigenpairs(const SymmetricOperator& matrix, const Eigen::MatrixXd& start,
                                  Eigen::Index count, const DavidsonLimits& limits) {
  Seen seen{matrix};
  Spectra::DavidsonSymEigsSolver<Seen> solver(seen, count, limits.fewest, limits.most);
  solver.compute_with_guess(start, Spectra::SortRule::SmallestAlge, limits.iterations, limits.residual);
  if (solver.info() != Spectra::CompInfo::Successful) return {};
  return {true, solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace prophet

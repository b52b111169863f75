#include "scf/diis.hpp"

#include <Eigen/Eigenvalues>

namespace prophet {
namespace {

double dot(const std::vector<Eigen::MatrixXd>& a, const std::vector<Eigen::MatrixXd>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].cwiseProduct(b[i]).sum();
  return sum;
}

}  // namespace

Diis::Diis(int depth)
    : depth_(depth), focks_(depth), errors_(depth), products_(Eigen::MatrixXd::Zero(depth, depth)) {}

/// Minimises |sum c_i e_i|^2 with sum c_i = 1: c ~ B^+ 1, from the eigenvectors of B scaled to unit diagonal;
/// small eigenvalues belong to vectors that repeat each other and are left out.
Eigen::VectorXd Diis::combination() const {
  const Eigen::MatrixXd b = products_.topLeftCorner(stored_, stored_);
  const Eigen::VectorXd scale = b.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * b * scale.asDiagonal());
  Eigen::VectorXd c = Eigen::VectorXd::Zero(stored_);
  for (int i = 0; i < stored_; ++i) {
    const double value = eigen.eigenvalues()(i);
    if (value < 1e-14 * stored_) continue;
    c += eigen.eigenvectors().col(i) * (eigen.eigenvectors().col(i).dot(scale) / value);
  }
  c = scale.cwiseProduct(c);
  return c / c.sum();
}

void Diis::extrapolate(std::vector<Eigen::MatrixXd>& fock, const std::vector<Eigen::MatrixXd>& error) {
  focks_[next_] = fock;
  errors_[next_] = error;
  const int newest = next_;
  next_ = (next_ + 1) % depth_;
  stored_ = std::min(stored_ + 1, depth_);
  for (int i = 0; i < stored_; ++i) products_(i, newest) = products_(newest, i) = dot(errors_[i], error);
  const Eigen::VectorXd c = combination();
  if (!c.allFinite()) return;
  for (std::size_t s = 0; s < fock.size(); ++s) {
    fock[s] *= c(newest);
    for (int i = 0; i < stored_; ++i) {
      if (i != newest) fock[s] += c(i) * focks_[i][s];
    }
  }
}

}  // namespace prophet

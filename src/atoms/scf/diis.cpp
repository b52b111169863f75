#include "atoms/scf/diis.hpp"

#include <Eigen/Eigenvalues>

namespace prophet {
namespace {

double dot(const std::vector<Eigen::MatrixXd>& a, const std::vector<Eigen::MatrixXd>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].cwiseProduct(b[i]).sum();
  return sum;
}

}  // namespace

/// Minimises |sum c_i e_i|^2 with sum c_i = 1: c ~ B^-1 1, from the eigenvectors of B scaled to unit
/// diagonal. Small eigenvalues are what is sought (combinations without error) but those below rounding are
/// noise, and count as rounding.
Eigen::VectorXd diisCombination(const Eigen::MatrixXd& b) {
  constexpr double kRounding = 1e-15;
  const Eigen::VectorXd scale = b.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * b * scale.asDiagonal());
  const Eigen::VectorXd inverse = eigen.eigenvalues().cwiseMax(kRounding).cwiseInverse();
  const Eigen::MatrixXd& v = eigen.eigenvectors();
  const Eigen::VectorXd c = scale.cwiseProduct(v * inverse.cwiseProduct(v.transpose() * scale));
  return c / c.sum();
}

Diis::Diis(int depth)
    : depth_(depth), focks_(depth), errors_(depth), products_(Eigen::MatrixXd::Zero(depth, depth)) {}

void Diis::extrapolate(std::vector<Eigen::MatrixXd>& fock, const std::vector<Eigen::MatrixXd>& error) {
  focks_[next_] = fock;
  errors_[next_] = error;
  const int newest = next_;
  next_ = (next_ + 1) % depth_;
  stored_ = std::min(stored_ + 1, depth_);
  for (int i = 0; i < stored_; ++i) products_(i, newest) = products_(newest, i) = dot(errors_[i], error);
  const Eigen::VectorXd c = diisCombination(products_.topLeftCorner(stored_, stored_));
  if (!c.allFinite()) return;
  for (std::size_t s = 0; s < fock.size(); ++s) {
    fock[s] *= c(newest);
    for (int i = 0; i < stored_; ++i) {
      if (i != newest) fock[s] += c(i) * focks_[i][s];
    }
  }
}

}  // namespace prophet

#include "atoms/scf/fock_mixer.hpp"

#include <algorithm>

#include "atoms/scf/convergence.hpp"
#include "core/linalg/decompositions.hpp"

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
  const SymmetricEigen eigen(scale.asDiagonal() * b * scale.asDiagonal());
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

namespace {

constexpr int kSeriesPeriod = 4;
/// A convergence ratio closer to 1 than this would be extrapolated too far to be trusted.
constexpr double kLargestRatio = 0.8;

}  // namespace

FockMixer::FockMixer(Extrapolation kind, double damping)
    : kind_(kind), damping_(damping), diis_(kDiisDepth) {}

void FockMixer::mix(std::vector<Eigen::MatrixXd>& fock, const std::vector<Eigen::MatrixXd>& error) {
  ++calls_;
  if (kind_ == Extrapolation::Diis) {
    diis_.extrapolate(fock, error);
    return;
  }
  damp(fock);
  if (kind_ == Extrapolation::Fock) extrapolateSeries(fock);
  previous_ = fock;
}

void FockMixer::damp(std::vector<Eigen::MatrixXd>& fock) {
  if (previous_.empty()) return;
  for (std::size_t s = 0; s < fock.size(); ++s)
    fock[s] = (1.0 - damping_) * fock[s] + damping_ * previous_[s];
}

/// With changes d_k that shrink by a ratio q each, the limit is F + d q/(1 - q); q by least squares over all
/// elements.
void FockMixer::extrapolateSeries(std::vector<Eigen::MatrixXd>& fock) {
  if (previous_.empty()) return;
  std::vector<Eigen::MatrixXd> change(fock.size());
  for (std::size_t s = 0; s < fock.size(); ++s) change[s] = fock[s] - previous_[s];
  if (!previousChange_.empty() && calls_ % kSeriesPeriod == 0) {
    double both = 0.0, old = 0.0;
    for (std::size_t s = 0; s < fock.size(); ++s) {
      both += change[s].cwiseProduct(previousChange_[s]).sum();
      old += previousChange_[s].squaredNorm();
    }
    const double ratio = old > 0.0 ? std::clamp(both / old, -kLargestRatio, kLargestRatio) : 0.0;
    for (std::size_t s = 0; s < fock.size(); ++s) fock[s] += ratio / (1.0 - ratio) * change[s];
  }
  previousChange_ = std::move(change);
}

}  // namespace prophet

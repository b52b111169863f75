#include "atoms/scf/fock_mixer.hpp"

#include <algorithm>

namespace prophet {
namespace {

constexpr int kDiisDepth = 8;
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

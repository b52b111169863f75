#include "cuda/atoms/scf/device_mixer.hpp"

#include <algorithm>

namespace prophet::cuda {
namespace {

/// As in scf/fock_mixer.cpp.
constexpr int kSeriesPeriod = 4;
constexpr double kLargestRatio = 0.8;

}  // namespace

DeviceMixer::DeviceMixer(Extrapolation kind, double damping, std::int64_t size, Workspace& workspace)
    : kind_(kind), damping_(damping), size_(size), stream_(workspace.stream()) {
  const auto make = [&] { return workspace.make<double>(static_cast<std::size_t>(size)); };
  const int depth = kind == Extrapolation::Diis ? kDiisDepth : 1;
  for (int i = 0; i < depth; ++i) {
    focks_.push_back(make());
    gradients_.push_back(make());
  }
  if (kind == Extrapolation::Diis) {
    diisWork_ = workspace.make<double>(static_cast<std::size_t>(diisWorkSize()));
    return;
  }
  dots_ = workspace.make<double>(2);
  previous_ = make();
  change_ = make();
  previousChange_ = make();
}

std::vector<double> DeviceMixer::products(const History& a, const double* b, int count) {
  dotProducts(a, b, size_, count, dots_.data(), stream_);
  return dots_.download(stream_);
}

void DeviceMixer::mix(double* mixed) {
  ++calls_;
  if (kind_ == Extrapolation::Diis) {
    diis(mixed);
  } else {
    damp(mixed);
  }
}

void DeviceMixer::diis(double* mixed) {
  const int newest = next_;
  next_ = (next_ + 1) % kDiisDepth;
  stored_ = std::min(stored_ + 1, kDiisDepth);
  History errors{}, focks{};
  for (int i = 0; i < stored_; ++i) {
    errors.entry[i] = gradients_[i].data();
    focks.entry[i] = focks_[i].data();
  }
  combineByDiis(focks, errors, newest, stored_, size_, diisWork_.data(), mixed, stream_);
}

/// F = (1 - d) F_new + d F_old, and for Fock the limit of the series of damped matrices every fourth time.
void DeviceMixer::damp(double* mixed) {
  const auto copy = [&](const double* from, double* to) {
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(to, from, size_ * sizeof(double), cudaMemcpyDeviceToDevice, stream_));
  };
  const bool first = calls_ == 1;
  combine({{fock(), previous_.data()}}, {{first ? 1.0 : 1.0 - damping_, damping_}}, size_, first ? 1 : 2,
          mixed, stream_);
  if (kind_ == Extrapolation::Fock && !first) {
    combine({{mixed, previous_.data()}}, {{1.0, -1.0}}, size_, 2, change_.data(), stream_);
    if (calls_ > 2 && calls_ % kSeriesPeriod == 0) {
      const double ratio = seriesRatio();
      combine({{mixed, change_.data()}}, {{1.0, ratio / (1.0 - ratio)}}, size_, 2, mixed, stream_);
    }
    std::swap(change_, previousChange_);
  }
  copy(mixed, previous_.data());
}

double DeviceMixer::seriesRatio() {
  const History both{{change_.data(), previousChange_.data()}};
  const std::vector<double> dots = products(both, previousChange_.data(), 2);
  return dots[1] > 0.0 ? std::clamp(dots[0] / dots[1], -kLargestRatio, kLargestRatio) : 0.0;
}

}  // namespace prophet::cuda

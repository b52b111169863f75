#include "cuda/matter/pairs/cuda_pair_engine.hpp"

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/devices.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/matter/pairs/kernels.hpp"

namespace prophet::cuda {

CudaPairEngine::CudaPairEngine(std::vector<int> devices, HistogramKernel kernel, int sharedBytes)
    : devices_(checkedDevices(std::move(devices))), kernel_(kernel), sharedBytes_(sharedBytes) {}

std::string CudaPairEngine::name() const { return nameOf(devices_); }

namespace {

/// Points of a transform, those at one place counted apart.
struct Points {
  std::vector<double> r, weights;
  double touching = 0, all = 0;

  void add(double distance, double number) {
    all += number;
    if (distance < 1e-6) {
      touching += number;
      return;
    }
    r.push_back(distance);
    weights.push_back(number / distance);
  }
};

/// Sums over points of sin(qr)/(qr) on the current device; adds to the seconds of its kernels.
Eigen::VectorXd sumPoints(const Points& points, const Eigen::VectorXd& q, double& kernelSeconds) {
  const std::size_t momenta = static_cast<std::size_t>(q.size());
  std::vector<double> values(momenta, 0.0);
  if (!points.r.empty() && momenta > 0) {
    const Stream stream;
    const Eigen::VectorXd turns = q / (2 * constants::kPi);
    const DeviceBuffer<double> deviceTurns(std::vector<double>(turns.begin(), turns.end())), r(points.r),
        weights(points.weights);
    DeviceBuffer<double> out(momenta);
    const Event begin, end;
    begin.record(stream.get());
    launchTransform(r.data(), weights.data(), static_cast<int>(points.r.size()), deviceTurns.data(),
                    static_cast<int>(momenta), out.data(), stream.get());
    end.record(stream.get());
    values = out.download(stream.get());
    kernelSeconds += end.secondsSince(begin);
  }
  Eigen::VectorXd sums(q.size());
  for (Eigen::Index k = 0; k < q.size(); ++k)
    sums(k) = q(k) == 0 ? points.all : values[static_cast<std::size_t>(k)] / q(k) + points.touching;
  return sums;
}

}  // namespace

DebyeSums CudaPairEngine::transform(const PairHistogram& h, const Eigen::VectorXd& q) {
  requireScattering(q);
  const Stopwatch watch;
  PROPHET_CUDA_CHECK(cudaSetDevice(devices_.front()));
  const int pairs = pairKinds(h.kinds);
  DebyeSums sums;
  sums.values.setZero(q.size(), pairs);
  kernelSeconds_ = 0;
  for (int p = 0; p < pairs; ++p) {
    Points points;
    for (int k = 0; k < h.bins; ++k) {
      const auto count = h.counts[h.at(p, k)];
      if (count > 0) points.add(h.meanDistance(p, k), static_cast<double>(count));
    }
    sums.values.col(p) = sumPoints(points, q, kernelSeconds_);
  }
  sums.seconds = watch.seconds();
  return sums;
}

Eigen::VectorXd CudaPairEngine::sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) {
  requireScattering(q);
  PROPHET_CUDA_CHECK(cudaSetDevice(devices_.front()));
  Points points;
  for (const double r : distances) points.add(r, 1);
  kernelSeconds_ = 0;
  return sumPoints(points, q, kernelSeconds_);
}

}  // namespace prophet::cuda

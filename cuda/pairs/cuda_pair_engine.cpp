#include "cuda/pairs/cuda_pair_engine.hpp"

#include <fmt/format.h>

#include "common/math_constants.hpp"
#include "common/stopwatch.hpp"
#include "cuda/common/buffer.hpp"
#include "cuda/common/check.hpp"
#include "cuda/common/handles.hpp"
#include "cuda/pairs/kernels.hpp"

namespace prophet::cuda {

CudaPairEngine::CudaPairEngine(std::vector<int> devices, HistogramKernel kernel)
    : devices_(std::move(devices)), kernel_(kernel) {
  int count = 0;
  PROPHET_CUDA_CHECK(cudaGetDeviceCount(&count));
  if (devices_.empty()) {
    for (int i = 0; i < count; ++i) devices_.push_back(i);
  }
  for (const int device : devices_) {
    if (device < 0 || device >= count)
      throw Error(fmt::format("there is no GPU number {}; this machine has {}", device, count));
  }
}

std::string CudaPairEngine::name() const {
  cudaDeviceProp properties;
  PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, devices_.front()));
  return devices_.size() == 1 ? properties.name : fmt::format("{} x {}", devices_.size(), properties.name);
}

DebyeSums CudaPairEngine::transform(const PairHistogram& h, const Eigen::VectorXd& q) {
  requireScattering(q);
  const Stopwatch watch;
  PROPHET_CUDA_CHECK(cudaSetDevice(devices_.front()));
  const Stream stream;
  const int pairs = pairKinds(h.kinds);
  DebyeSums sums;
  sums.values.setZero(q.size(), pairs);
  const Eigen::VectorXd turns = q / (2 * constants::kPi);
  const DeviceBuffer<double> deviceTurns(std::vector<double>(turns.begin(), turns.end()));
  DeviceBuffer<double> out(static_cast<std::size_t>(q.size()));
  kernelSeconds_ = 0;
  for (int p = 0; p < pairs; ++p) {
    std::vector<double> r, weights;
    double touching = 0, all = 0;
    for (int k = 0; k < h.bins; ++k) {
      const auto count = h.counts[h.at(p, k)];
      if (count == 0) continue;
      const double distance = h.meanDistance(p, k), number = static_cast<double>(count);
      all += number;
      if (distance < 1e-6) {
        touching += number;
        continue;
      }
      r.push_back(distance);
      weights.push_back(number / distance);
    }
    if (all == 0) continue;
    std::vector<double> values(static_cast<std::size_t>(q.size()), 0.0);
    if (!r.empty()) {
      const DeviceBuffer<double> deviceR(r), deviceWeights(weights);
      const Event begin, end;
      begin.record(stream.get());
      launchTransform(deviceR.data(), deviceWeights.data(), static_cast<int>(r.size()), deviceTurns.data(),
                      static_cast<int>(q.size()), out.data(), stream.get());
      end.record(stream.get());
      values = out.download(stream.get());
      kernelSeconds_ += end.secondsSince(begin);
    }
    for (Eigen::Index k = 0; k < q.size(); ++k)
      sums.values(k, p) = q(k) == 0 ? all : values[static_cast<std::size_t>(k)] / q(k) + touching;
  }
  sums.seconds = watch.seconds();
  return sums;
}

}  // namespace prophet::cuda

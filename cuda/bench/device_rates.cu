#include "cuda/bench/device_rates.hpp"
#include "cuda/core/common/buffer.hpp"

#include <cstdint>

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256, kChains = 8;

/// kChains independent chains of fused multiply-adds hide the latency of one.
__global__ void multiplyAdd(double* out, double a, double b, int steps) {
  double x[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) x[c] = threadIdx.x + c;
  for (int i = 0; i < steps; ++i) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) x[c] = x[c] * a + b;
  }
  double sum = 0.0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += x[c];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void fillRandom(double* values, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < count;
       i += step) {
    const unsigned hash = static_cast<unsigned>(i) * 2654435761u;
    values[i] = hash * 0x1p-32 - 0.5;
  }
}

/// Reads 16 bytes a thread and step; the sum keeps the compiler from leaving the loads out.
__global__ void readAll(const double2* values, std::int64_t count, double* out) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  double sum = 0.0;
  std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  for (; i + 3 * step < count; i += 4 * step) {
    const double2 a = __ldcs(values + i), b = __ldcs(values + i + step), c = __ldcs(values + i + 2 * step),
                  d = __ldcs(values + i + 3 * step);
    sum += (a.x + a.y) + (b.x + b.y) + (c.x + c.y) + (d.x + d.y);
  }
  for (; i < count; i += step) sum += values[i].x + values[i].y;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace

DeviceRates measureDeviceRates(const Stream& stream) {
  cudaDeviceProp properties;
  PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  DeviceRates rates;
  rates.name = properties.name;
  const int blocks = properties.multiProcessorCount * 8;
  const std::int64_t count = 1 << 27;  // 1 GiB: many times the second-level cache
  DeviceBuffer<double> from(count), to(count);
  fillRandom<<<blocks, kThreads, 0, stream.get()>>>(from.data(), count);
  PROPHET_CUDA_CHECK_LAUNCH();
  const double copy = medianSeconds(stream, 9, [&] {
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(double),
                                       cudaMemcpyDeviceToDevice, stream.get()));
  });
  rates.copyBytesPerSecond = 2.0 * count * sizeof(double) / copy;
  const double read = medianSeconds(stream, 9, [&] {
    readAll<<<blocks, kThreads, 0, stream.get()>>>(reinterpret_cast<const double2*>(from.data()), count / 2,
                                                   to.data());
    PROPHET_CUDA_CHECK_LAUNCH();
  });
  rates.readBytesPerSecond = count * sizeof(double) / read;
  const int steps = 20000;
  const double add = medianSeconds(stream, 5, [&] {
    multiplyAdd<<<blocks, kThreads, 0, stream.get()>>>(to.data(), 0.999, 0.001, steps);
    PROPHET_CUDA_CHECK_LAUNCH();
  });
  rates.fp64PerSecond = 2.0 * kChains * steps * static_cast<double>(blocks) * kThreads / add;
  return rates;
}

}  // namespace prophet::cuda

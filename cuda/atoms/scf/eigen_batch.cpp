#include "cuda/atoms/scf/eigen_batch.hpp"

#include <fmt/format.h>

/// cusolverDnXsyevBatched came with CUDA 12.6 update 2; older toolkits solve one matrix after the other.
#if CUSOLVER_VERSION >= 11701
#define PROPHET_HAS_SYEV_BATCHED 1
#else
#define PROPHET_HAS_SYEV_BATCHED 0
#endif

namespace prophet::cuda {
namespace {

constexpr cusolverEigMode_t kVectors = CUSOLVER_EIG_MODE_VECTOR;
constexpr cublasFillMode_t kLower = CUBLAS_FILL_MODE_LOWER;

}  // namespace

EigenBatch::EigenBatch(int n, int batch, Workspace& workspace)
    : n_(n),
      batch_(batch),
      stream_(workspace.stream()),
      solver_(stream_),
      info_(workspace.make<int>(static_cast<std::size_t>(batch))) {
  std::size_t device = 0, host = 0;
#if PROPHET_HAS_SYEV_BATCHED
  PROPHET_CUDA_CHECK(cusolverDnXsyevBatched_bufferSize(solver_.get(), parameters_.get(), kVectors, kLower, n,
                                                       CUDA_R_64F, nullptr, n, CUDA_R_64F, nullptr,
                                                       CUDA_R_64F, &device, &host, batch));
#else
  PROPHET_CUDA_CHECK(cusolverDnXsyevd_bufferSize(solver_.get(), parameters_.get(), kVectors, kLower, n,
                                                 CUDA_R_64F, nullptr, n, CUDA_R_64F, nullptr, CUDA_R_64F,
                                                 &device, &host));
#endif
  deviceWork_ = workspace.make<char>(device);
  hostWork_.resize(host);
  info_.fill(0, stream_);
}

void EigenBatch::solve(double* matrices, double* values) {
#if PROPHET_HAS_SYEV_BATCHED
  PROPHET_CUDA_CHECK(cusolverDnXsyevBatched(solver_.get(), parameters_.get(), kVectors, kLower, n_,
                                            CUDA_R_64F, matrices, n_, CUDA_R_64F, values, CUDA_R_64F,
                                            deviceWork_.data(), deviceWork_.size(), hostWork_.data(),
                                            hostWork_.size(), info_.data(), batch_));
#else
  for (int i = 0; i < batch_; ++i) {
    PROPHET_CUDA_CHECK(cusolverDnXsyevd(solver_.get(), parameters_.get(), kVectors, kLower, n_, CUDA_R_64F,
                                        matrices + static_cast<std::size_t>(i) * n_ * n_, n_, CUDA_R_64F,
                                        values + static_cast<std::size_t>(i) * n_, CUDA_R_64F,
                                        deviceWork_.data(), deviceWork_.size(), hostWork_.data(),
                                        hostWork_.size(), info_.data() + i));
  }
#endif
}

void EigenBatch::checkLast() const {
  for (const int info : info_.download(stream_)) {
    if (info == 0) continue;
    throw DeviceError(
        fmt::format("an eigenproblem of size {} failed (cuSOLVER, info {}); the Fock matrix probably holds "
                    "not-a-number: check the exponents for extreme values",
                    n_, info));
  }
}

}  // namespace prophet::cuda

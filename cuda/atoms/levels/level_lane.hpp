#pragma once
#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "cuda/atoms/levels/cuda_level_engine.hpp"
#include "cuda/atoms/levels/level_states.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

constexpr Eigen::Index kSmallestOnGpu = 192;  // rows of an eigenproblem: below, the processor is as fast

/// What counts of a lane's memory: little of it is there for all lanes at any time.
inline double largeBytes(double bytes) {
  constexpr double kLarge = 1e9;
  return bytes < kLarge ? 0 : bytes;
}

/// A stream with its library handles and with memory that grows to what its work needs.
class LevelLane {
 public:
  explicit LevelLane(const LevelMemory& memory)
      : memory_(memory), blas_(stream_.get()), solver_(stream_.get()) {}

  cudaStream_t stream() const { return stream_.get(); }
  /// Memory number `slot` with room for so many values; what was in it is lost.
  double* room(std::size_t slot, std::size_t size) {
    DeviceBuffer<double>& buffer = rooms_.at(slot);
    if (buffer.size() < size) {
      stream_.synchronize();
      buffer = {};
      buffer = memory_.take(size);
    }
    return buffer.data();
  }
  /// Gives back what large blocks took.
  void trim() {
    constexpr std::size_t kKept = 1 << 25;  // values of a slot
    stream_.synchronize();
    for (DeviceBuffer<double>& room : rooms_)
      if (room.size() > kKept) room = {};
  }
  template <class T>
  T* upload(std::size_t slot, const T* values, std::size_t count) {
    T* const to = reinterpret_cast<T*>(room(slot, (count * sizeof(T) + sizeof(double) - 1) / sizeof(double)));
    if (count > 0)
      PROPHET_CUDA_CHECK(cudaMemcpyAsync(to, values, count * sizeof(T), cudaMemcpyHostToDevice, stream()));
    return to;
  }
  double* zeros(std::size_t slot, std::size_t size) {
    double* const to = room(slot, size);
    PROPHET_CUDA_CHECK(cudaMemsetAsync(to, 0, size * sizeof(double), stream()));
    return to;
  }
  template <class T>
  void download(const T* from, T* to, std::size_t count) const {
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream()));
    stream_.synchronize();
  }
  /// A matrix on the device, whose columns are `stride` values apart.
  struct Matrix {
    const double* values = nullptr;
    int stride = 0;
  };
  /// c (m x n) = a b, or a^T b; columns of c are `stride` values apart.
  void multiply(bool transposed, int m, int n, int k, Matrix a, Matrix b, double* c, int stride) const {
    if (m == 0 || n == 0) return;
    const double one = 1, none = 0;
    PROPHET_CUDA_CHECK(cublasDgemm(blas_.get(), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, m, n, k,
                                   &one, a.values, a.stride, b.values, b.stride, &none, c, stride));
  }
  /// The same, all of them without gaps between columns.
  void multiply(bool transposed, int m, int n, int k, const double* a, const double* b, double* c) const {
    multiply(transposed, m, n, k, {a, transposed ? k : m}, {b, k}, c, m);
  }
  /// The lowest `count` eigenvectors take the place of the matrix's first columns, lower triangle read;
  /// `values` has room for n. All on the device.
  void eigenpairs(int n, int count, double* matrix, double* values) {
    const bool some = count < n;
    std::size_t device = 0, host = 0;
    std::int64_t found = 0;
    double unused = 0;
    if (some)
      PROPHET_CUDA_CHECK(cusolverDnXsyevdx_bufferSize(
          solver_.get(), parameters_.get(), CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_I,
          CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, matrix, n, &unused, &unused, 1, count, &found, CUDA_R_64F,
          values, CUDA_R_64F, &device, &host));
    else
      PROPHET_CUDA_CHECK(cusolverDnXsyevd_bufferSize(
          solver_.get(), parameters_.get(), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F,
          matrix, n, CUDA_R_64F, values, CUDA_R_64F, &device, &host));
    double* const work = room(kWork, device / sizeof(double) + 1);
    hostWork_.resize(host);
    int* const info = reinterpret_cast<int*>(room(kInfo, 1));
    if (some)
      PROPHET_CUDA_CHECK(cusolverDnXsyevdx(solver_.get(), parameters_.get(), CUSOLVER_EIG_MODE_VECTOR,
                                           CUSOLVER_EIG_RANGE_I, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F,
                                           matrix, n, &unused, &unused, 1, count, &found, CUDA_R_64F, values,
                                           CUDA_R_64F, work, device, hostWork_.data(), host, info));
    else
      PROPHET_CUDA_CHECK(cusolverDnXsyevd(solver_.get(), parameters_.get(), CUSOLVER_EIG_MODE_VECTOR,
                                          CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, matrix, n, CUDA_R_64F,
                                          values, CUDA_R_64F, work, device, hostWork_.data(), host, info));
    int failed = 0;
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(&failed, info, sizeof(int), cudaMemcpyDeviceToHost, stream()));
    stream_.synchronize();
    if (failed != 0)
      throw DeviceError(
          fmt::format("an eigenproblem of {} levels failed (cuSOLVER, info {}); the backend cpu may solve it",
                      n, failed));
  }

  /// The same with the eigenvalues on the processor.
  Eigen::VectorXd lowest(int n, int count, double* matrix) {
    double* const energies = room(kValues, static_cast<std::size_t>(n));
    eigenpairs(n, count, matrix, energies);
    Eigen::VectorXd values(count);
    download(energies, values.data(), static_cast<std::size_t>(count));
    return values;
  }

  enum Slot : std::size_t {
    kMatrix,
    kValues,
    kWork,
    kInfo,
    kPlaces,
    kColumns,
    kElements,
    kOperator,
    kProduct,
    kBetween,
    kLength,
    kVelocity,
    kPoints,
    kDeterminants,
    kKeys,
    kNumbers,
    kMoves,
    kStates,
    kDense,
    kApplied,
    kVectors,
    kOthers,
    kSums,
    kChosen,
    kSlots
  };

 private:
  const LevelMemory& memory_;
  Stream stream_;
  BlasHandle blas_;
  SolverHandle solver_;
  SolverParameters parameters_;
  std::array<DeviceBuffer<double>, kSlots> rooms_;
  std::vector<char> hostWork_;
};

constexpr int kLanes = 16;  // of a device: one computes while others copy

/// A lane for as long as it lives, on the engine's device. Lanes are made when they are first needed: to open
/// the libraries takes a while.
class LaneHold {
 public:
  /// `bytes`: of memory that it will take, roughly; waits until the others leave so much.
  explicit LaneHold(CudaLevelEngine& engine, double bytes = 0) : engine_(engine), bytes_(bytes) {
    PROPHET_CUDA_CHECK(cudaSetDevice(engine.memory_->device));
    std::unique_lock<std::mutex> lock(engine.mutex_);
    engine.free_.wait(lock, [&] {
      return (!engine.lanes_.empty() || engine.lanesMade_ < kLanes) &&
             (engine.taken_ == 0 || engine.taken_ + bytes_ <= engine.most_);
    });
    engine.taken_ += bytes_;
    if (!engine.lanes_.empty()) {
      lane_ = std::move(engine.lanes_.back());
      engine.lanes_.pop_back();
      return;
    }
    ++engine.lanesMade_;
    lock.unlock();
    try {
      lane_ = std::make_unique<LevelLane>(*engine.memory_);
    } catch (...) {
      lock.lock();
      --engine.lanesMade_;
      engine.taken_ -= bytes_;
      engine.free_.notify_all();
      throw;
    }
  }
  ~LaneHold() {
    if (bytes_ > 0) lane_->trim();
    {
      const std::lock_guard<std::mutex> lock(engine_.mutex_);
      engine_.taken_ -= bytes_;
      engine_.lanes_.push_back(std::move(lane_));
    }
    engine_.free_.notify_all();
  }
  LaneHold(const LaneHold&) = delete;
  LaneHold& operator=(const LaneHold&) = delete;
  LevelLane* operator->() const { return lane_.get(); }
  LevelLane& operator*() const { return *lane_; }

 private:
  CudaLevelEngine& engine_;
  double bytes_;
  std::unique_ptr<LevelLane> lane_;
};

}  // namespace prophet::cuda

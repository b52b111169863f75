#include "cuda/atoms/levels/cuda_level_engine.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cuda/atoms/levels/transition_kernels.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {
namespace {

constexpr int kLanes = 4;                     // streams: one computes while others copy
constexpr Eigen::Index kSmallestOnGpu = 192;  // rows of an eigenproblem: below, the processor is as fast

}  // namespace

/// A stream with its library handles and with memory that grows to what its work needs.
class LevelLane {
 public:
  LevelLane() : blas_(stream_.get()), solver_(stream_.get()) {}

  cudaStream_t stream() const { return stream_.get(); }
  /// Memory number `slot` with room for so many values; what was in it is lost.
  double* room(std::size_t slot, std::size_t size) {
    DeviceBuffer<double>& buffer = rooms_.at(slot);
    if (buffer.size() < size) {
      stream_.synchronize();
      buffer = {};
      buffer = DeviceBuffer<double>(size);
    }
    return buffer.data();
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
  void download(const double* from, double* to, std::size_t count) const {
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(double), cudaMemcpyDeviceToHost, stream()));
    stream_.synchronize();
  }
  /// c (m x n) = a b, or a^T b; all of them dense, without gaps between columns.
  void multiply(bool transposed, int m, int n, int k, const double* a, const double* b, double* c) const {
    const double one = 1, none = 0;
    PROPHET_CUDA_CHECK(cublasDgemm(blas_.get(), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, m, n, k,
                                   &one, a, transposed ? k : m, b, k, &none, c, m));
  }
  /// Vectors take the place of the matrix, lower triangle read; both on the device.
  void eigenpairs(int n, double* matrix, double* values) {
    std::size_t device = 0, host = 0;
    PROPHET_CUDA_CHECK(cusolverDnXsyevd_bufferSize(solver_.get(), parameters_.get(), CUSOLVER_EIG_MODE_VECTOR,
                                                   CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, matrix, n,
                                                   CUDA_R_64F, values, CUDA_R_64F, &device, &host));
    double* const work = room(kWork, device / sizeof(double) + 1);
    hostWork_.resize(host);
    int* const info = reinterpret_cast<int*>(room(kInfo, 1));
    PROPHET_CUDA_CHECK(cusolverDnXsyevd(solver_.get(), parameters_.get(), CUSOLVER_EIG_MODE_VECTOR,
                                        CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, matrix, n, CUDA_R_64F, values,
                                        CUDA_R_64F, work, device, hostWork_.data(), host, info));
    int failed = 0;
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(&failed, info, sizeof(int), cudaMemcpyDeviceToHost, stream()));
    stream_.synchronize();
    if (failed != 0)
      throw DeviceError(
          fmt::format("an eigenproblem of {} levels failed (cuSOLVER, info {}); the backend cpu may solve it",
                      n, failed));
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
    kSlots
  };

 private:
  Stream stream_;
  BlasHandle blas_;
  SolverHandle solver_;
  SolverParameters parameters_;
  std::array<DeviceBuffer<double>, kSlots> rooms_;
  std::vector<char> hostWork_;
};

/// A lane for as long as it lives, on the engine's device.
class LaneHold {
 public:
  explicit LaneHold(CudaLevelEngine& engine) : engine_(engine) {
    PROPHET_CUDA_CHECK(cudaSetDevice(engine.device_));
    std::unique_lock<std::mutex> lock(engine.mutex_);
    engine.free_.wait(lock, [&] { return !engine.lanes_.empty(); });
    lane_ = std::move(engine.lanes_.back());
    engine.lanes_.pop_back();
  }
  ~LaneHold() {
    {
      const std::lock_guard<std::mutex> lock(engine_.mutex_);
      engine_.lanes_.push_back(std::move(lane_));
    }
    engine_.free_.notify_one();
  }
  LaneHold(const LaneHold&) = delete;
  LaneHold& operator=(const LaneHold&) = delete;
  LevelLane* operator->() const { return lane_.get(); }

 private:
  CudaLevelEngine& engine_;
  std::unique_ptr<LevelLane> lane_;
};

namespace {

class CudaLevelProducts : public LevelProducts {
 public:
  CudaLevelProducts(CudaLevelEngine& engine, const std::vector<BlockLevels>& blocks) : engine_(engine) {
    const LaneHold lane(engine_);
    for (const BlockLevels& b : blocks) {
      Block& kept = blocks_.emplace_back();
      kept.states = static_cast<int>(b.vectors->rows());
      kept.levels = static_cast<int>(b.vectors->cols());
      kept.vectors = DeviceBuffer<double>(static_cast<std::size_t>(b.vectors->size()));
      kept.vectors.upload(b.vectors->data(), kept.vectors.size(), lane->stream());
      kept.energies = DeviceBuffer<double>(static_cast<std::size_t>(b.energies.size()));
      kept.energies.upload(b.energies.data(), kept.energies.size(), lane->stream());
    }
    PROPHET_CUDA_CHECK(cudaStreamSynchronize(lane->stream()));
  }

  TransitionElements elements(int bra, int ket, const TransitionOperators& o) override {
    const Block &a = blocks_[static_cast<std::size_t>(bra)], &b = blocks_[static_cast<std::size_t>(ket)];
    const bool electric = o.velocity.cols() > 0;
    std::vector<int> columns;
    for (std::size_t column = 0; column + 1 < o.starts.size(); ++column)
      columns.insert(columns.end(), static_cast<std::size_t>(o.starts[column + 1] - o.starts[column]),
                     static_cast<int>(column));
    const LaneHold lane(engine_);
    const TransitionGrid grid{a.levels,
                              b.levels,
                              static_cast<int>(o.nodes.size()),
                              a.energies.data(),
                              b.energies.data(),
                              lane->upload(LevelLane::kPoints, o.nodes.data(), o.nodes.size())};
    const int* const places = lane->upload(LevelLane::kPlaces, o.places.data(), o.places.size());
    const int* const ofColumns = lane->upload(LevelLane::kColumns, columns.data(), columns.size());
    const auto size = static_cast<std::size_t>(grid.size());
    double* const length = lane->zeros(LevelLane::kLength, size);
    double* const velocity = electric ? lane->zeros(LevelLane::kVelocity, size) : nullptr;
    const auto add = [&](const Eigen::MatrixXd& elements, int node, int power, double* sum) {
      const auto count = static_cast<std::size_t>(elements.rows());
      const double* const values =
          lane->upload(LevelLane::kElements, elements.data() + static_cast<std::size_t>(node) * count, count);
      double* const dense = lane->zeros(
          LevelLane::kOperator, static_cast<std::size_t>(a.states) * static_cast<std::size_t>(b.states));
      scatter(static_cast<std::int64_t>(count), places, ofColumns, values, a.states, dense, lane->stream());
      double* const product = lane->room(
          LevelLane::kProduct, static_cast<std::size_t>(a.states) * static_cast<std::size_t>(b.levels));
      lane->multiply(false, a.states, b.levels, b.states, dense, b.vectors.data(), product);
      double* const matrix = lane->room(LevelLane::kBetween, size);
      lane->multiply(true, a.levels, b.levels, a.states, a.vectors.data(), product, matrix);
      addNode(grid, node, power, matrix, sum, lane->stream());
    };
    for (int n = 0; n < grid.nodes; ++n) {
      add(o.charge, n, 0, length);
      if (!electric) continue;
      add(o.current, n, 1, length);
      add(o.velocity, n, 0, velocity);
    }
    TransitionElements sums{Eigen::MatrixXd(a.levels, b.levels), {}};
    lane->download(length, sums.length.data(), size);
    if (!electric) return sums;
    divideByEnergy(grid, velocity, lane->stream());
    sums.velocity.resize(a.levels, b.levels);
    lane->download(velocity, sums.velocity.data(), size);
    return sums;
  }

 private:
  struct Block {
    int states = 0, levels = 0;
    DeviceBuffer<double> vectors, energies;
  };
  CudaLevelEngine& engine_;
  std::vector<Block> blocks_;
};

}  // namespace

CudaLevelEngine::CudaLevelEngine(const std::vector<int>& devices)
    : device_(devices.empty() ? 0 : devices.front()), host_(hostLevelEngine()) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device_));
  for (int i = 0; i < kLanes; ++i) lanes_.push_back(std::make_unique<LevelLane>());
}

CudaLevelEngine::~CudaLevelEngine() = default;

std::string CudaLevelEngine::name() const {
  cudaDeviceProp properties;
  PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, device_));
  return properties.name;
}

void CudaLevelEngine::eigenpairs(Eigen::MatrixXd& matrix, Eigen::Index count, Eigen::VectorXd& values,
                                 Eigen::MatrixXd& vectors) {
  if (matrix.rows() < kSmallestOnGpu) return host_->eigenpairs(matrix, count, values, vectors);
  const LaneHold lane(*this);
  const auto n = static_cast<std::size_t>(matrix.rows());
  double* const onDevice = lane->upload(LevelLane::kMatrix, matrix.data(), n * n);
  double* const energies = lane->room(LevelLane::kValues, n);
  lane->eigenpairs(static_cast<int>(n), onDevice, energies);
  values.resize(count);
  vectors.resize(matrix.rows(), count);
  lane->download(energies, values.data(), static_cast<std::size_t>(count));
  lane->download(onDevice, vectors.data(), n * static_cast<std::size_t>(count));
}

std::unique_ptr<LevelProducts> CudaLevelEngine::productsOf(std::vector<BlockLevels> blocks) {
  return std::make_unique<CudaLevelProducts>(*this, blocks);
}

}  // namespace prophet::cuda

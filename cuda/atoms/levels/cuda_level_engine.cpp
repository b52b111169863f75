#include "cuda/atoms/levels/cuda_level_engine.hpp"

#include <utility>

#include "atoms/levels/determinant_space.hpp"
#include "cuda/atoms/levels/level_lane.hpp"
#include "cuda/atoms/levels/level_matrices.hpp"
#include "cuda/atoms/levels/transition_kernels.hpp"
#include "cuda/core/common/memory.hpp"

namespace prophet::cuda {
namespace {

constexpr int kLanes = 8;  // streams: one computes while others copy

}  // namespace

namespace {

class CudaLevelProducts : public LevelProducts {
 public:
  CudaLevelProducts(CudaLevelEngine& engine, const std::vector<BlockLevels>& blocks) : engine_(engine) {
    const LaneHold lane(engine_);
    for (const BlockLevels& b : blocks) {
      Block& kept = blocks_.emplace_back();
      kept.states = static_cast<int>(b.vectors->rows());
      kept.levels = static_cast<int>(b.vectors->cols());
      kept.vectors = takenFrom(engine.pool(), static_cast<std::size_t>(b.vectors->size()));
      kept.vectors.upload(b.vectors->data(), kept.vectors.size(), lane->stream());
      kept.energies = takenFrom(engine.pool(), static_cast<std::size_t>(b.energies.size()));
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
    const LaneHold lane(
        engine_, largeBytes(8.0 * (static_cast<double>(a.states) * b.states +
                                   static_cast<double>(a.states) * b.levels + 3.0 * a.levels * b.levels)));
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
  constexpr double kShare = 0.4;  // the rest: matrices and vectors that stay
  memoryStream_ = std::make_unique<Stream>();
  pool_ = std::make_unique<DevicePool>(memoryStream_->get());
  most_ = kShare * static_cast<double>(freeDeviceMemory(0));
  for (int i = 0; i < kLanes; ++i) lanes_.push_back(std::make_unique<LevelLane>(*pool_));
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
  lane->eigenpairs(static_cast<int>(n), static_cast<int>(count), onDevice, energies);
  values.resize(count);
  vectors.resize(matrix.rows(), count);
  lane->download(energies, values.data(), static_cast<std::size_t>(count));
  lane->download(onDevice, vectors.data(), n * static_cast<std::size_t>(count));
}

std::unique_ptr<LevelMatrices> CudaLevelEngine::matricesOf(
    const LevelBlock& block, const std::vector<const ElectronOperator*>& operators, int configurations) {
  if (block.size() < kSmallestOnGpu) return host_->matricesOf(block, operators, configurations);
  return std::make_unique<CudaLevelMatrices>(*this, block, operators, configurations);
}

std::unique_ptr<LevelProducts> CudaLevelEngine::productsOf(std::vector<BlockLevels> blocks) {
  return std::make_unique<CudaLevelProducts>(*this, blocks);
}

}  // namespace prophet::cuda

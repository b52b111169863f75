#include "cuda/atoms/levels/cuda_level_engine.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "atoms/configurations/determinant_space.hpp"
#include "core/common/index.hpp"
#include "core/common/threads.hpp"
#include "cuda/atoms/levels/level_lane.hpp"
#include "cuda/atoms/levels/level_matrices.hpp"
#include "cuda/atoms/levels/transition_kernels.hpp"
#include "cuda/core/common/devices.hpp"
#include "cuda/core/common/memory.hpp"

namespace prophet::cuda {
namespace {

class CudaLevelProducts : public LevelProducts {
 public:
  CudaLevelProducts(CudaLevelEngine& engine, std::vector<BlockLevels> blocks) : engine_(engine) {
    const LaneHold lane(engine_);
    for (BlockLevels& b : blocks) {
      Block& kept = blocks_.emplace_back();
      kept.states = onDevice(std::move(b.states), *lane, engine.memory());
      kept.energies = engine.memory()->take(usize(b.energies.size()));
      kept.energies.upload(b.energies.data(), kept.energies.size(), lane->stream());
    }
    PROPHET_CUDA_CHECK(cudaStreamSynchronize(lane->stream()));
  }

  ChosenLines lines(int bra, int ket, const TransitionOperators& o, const LineChoice& choice) override {
    const DeviceStates &a = *blocks_[usize(bra)].states, &b = *blocks_[usize(ket)].states;
    const bool electric = o.velocity.cols() > 0, moves = !a.turns.empty();
    const LaneHold lane(engine_,
                        largeBytes(8.0 * (static_cast<double>(a.rows) * b.rows +
                                          static_cast<double>(a.rows) * b.count + 5.0 * a.count * b.count)));
    const cudaStream_t stream = lane->stream();
    const TransitionGrid grid{a.count,
                              b.count,
                              static_cast<int>(o.nodes.size()),
                              blocks_[usize(bra)].energies.data(),
                              blocks_[usize(ket)].energies.data(),
                              lane->upload(LevelLane::kPoints, o.nodes.data(), o.nodes.size())};
    const auto size = usize(a.count) * usize(b.count);
    double* const length = lane->zeros(LevelLane::kLength, size);
    double* const velocity = electric ? lane->zeros(LevelLane::kVelocity, size) : nullptr;
    double* const between = lane->room(LevelLane::kBetween, size);
    double* const atLongWaves = moves ? lane->room(LevelLane::kOthers, size) : nullptr;
    addNodes(*lane, a, b, o, grid, {length, velocity, between, atLongWaves});
    if (electric) divideByEnergy(grid, velocity, stream);

    LineGrid lines{grid, bra == ket, choice.gfOfStrength, 0, choice.power};
    std::vector<double> largest(usize(b.count));
    double* const ofColumns = lane->room(LevelLane::kValues, largest.size());
    largestOfColumns(lines, length, ofColumns, stream);
    lane->download(ofColumns, largest.data(), largest.size());
    lines.least = std::min(choice.leastGf, choice.share * *std::ranges::max_element(largest));
    ChosenLines chosen;
    chosen.belowBra.resize(a.count);
    chosen.belowKet.resize(b.count);
    std::vector<int> starts(largest.size() + 1, 0);
    int* const counts = reinterpret_cast<int*>(lane->room(LevelLane::kNumbers, largest.size()));
    double* const below = lane->room(LevelLane::kSums, usize(a.count + b.count));
    countLines(lines, length, counts, below, below + a.count, stream);
    lane->download(below, chosen.belowBra.data(), usize(a.count));
    lane->download(below + a.count, chosen.belowKet.data(), usize(b.count));
    lane->download(counts, starts.data() + 1, largest.size());
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    const auto count = usize(starts.back());
    // Length, velocity, spreads, and the numbers of both levels.
    double* const values = lane->room(LevelLane::kChosen, 4 * count + 1);
    double* const spreads = values + 2 * count;
    int* const numbers = reinterpret_cast<int*>(values + 3 * count);
    const LinePlaces list{lane->upload(LevelLane::kPlaces, starts.data(), starts.size()), numbers,
                          numbers + count, values, electric ? values + count : nullptr};
    chooseLines(lines, length, velocity, list, stream);
    if (moves) addSpreads(*lane, a, b, static_cast<int>(count), list, {atLongWaves, between, spreads});
    const auto take = [&](auto* from, auto& to) {
      to.resize(count);
      if (count > 0) lane->download(from, to.data(), count);
    };
    take(list.bra, chosen.bra);
    take(list.ket, chosen.ket);
    take(list.length, chosen.length);
    if (electric) take(list.velocity, chosen.velocity);
    if (!moves) return chosen;
    take(spreads, chosen.spread);
    for (double& s : chosen.spread) s = std::sqrt(s / static_cast<double>(a.turns.size()));
    return chosen;
  }

 private:
  struct Block {
    std::shared_ptr<const DeviceStates> states;
    DeviceBuffer<double> energies;
  };
  /// Where elements between levels come to: sums of both gauges, those of one operator at one point, and
  /// those of the length gauge at the first point, which may be nullptr.
  struct Sums {
    double *length, *velocity, *between, *atLongWaves;
  };

  /// Adds the elements of the operators at all points.
  static void addNodes(LevelLane& lane, const DeviceStates& a, const DeviceStates& b,
                       const TransitionOperators& o, const TransitionGrid& grid, const Sums& sums) {
    std::vector<int> columns;
    for (std::size_t column = 0; column + 1 < o.starts.size(); ++column)
      columns.insert(columns.end(), usize(o.starts[column + 1] - o.starts[column]), static_cast<int>(column));
    const int* const places = lane.upload(LevelLane::kPlaces, o.places.data(), o.places.size());
    const int* const ofColumns = lane.upload(LevelLane::kColumns, columns.data(), columns.size());
    const auto add = [&](const Eigen::MatrixXd& elements, int node, int power, double* sum) {
      const auto count = usize(elements.rows());
      const double* const values =
          lane.upload(LevelLane::kElements, elements.data() + usize(node) * count, count);
      double* const dense = lane.zeros(LevelLane::kOperator, usize(a.rows) * usize(b.rows));
      scatter(static_cast<std::int64_t>(count), places, ofColumns, values, a.rows, dense, lane.stream());
      double* const product = lane.room(LevelLane::kProduct, usize(a.rows) * usize(b.count));
      lane.multiply(false, a.rows, b.count, b.rows, dense, b.own.data(), product);
      lane.multiply(true, a.count, b.count, a.rows, a.own.data(), product, sums.between);
      addNode(grid, node, power, sums.between, sum, lane.stream());
    };
    for (int n = 0; n < grid.nodes; ++n) {
      add(o.charge, n, 0, sums.length);
      if (n == 0 && sums.atLongWaves)
        PROPHET_CUDA_CHECK(cudaMemcpyAsync(sums.atLongWaves, sums.between,
                                           static_cast<std::size_t>(grid.size()) * sizeof(double),
                                           cudaMemcpyDeviceToDevice, lane.stream()));
      if (o.velocity.cols() == 0) continue;
      add(o.current, n, 1, sums.length);
      add(o.velocity, n, 0, sums.velocity);
    }
  }

  /// Elements between the levels, the same of the levels in other Hamiltonians, and what comes of both.
  struct Spreads {
    const double* own;
    double *moved, *sums;
  };
  /// Sums over the other Hamiltonians of the squares of changes.
  static void addSpreads(LevelLane& lane, const DeviceStates& a, const DeviceStates& b, int count,
                         const LinePlaces& list, const Spreads& s) {
    PROPHET_CUDA_CHECK(cudaMemsetAsync(s.sums, 0, usize(count) * sizeof(double), lane.stream()));
    double* const product = lane.room(LevelLane::kProduct, usize(a.count) * usize(b.count));
    for (std::size_t k = 0; k < a.turns.size(); ++k) {
      lane.multiply(false, a.count, b.count, b.count, s.own, b.turns[k].data(), product);
      lane.multiply(true, a.count, b.count, a.count, a.turns[k].data(), product, s.moved);
      cuda::addSpreads(count, list, a.count, s.own, s.moved, kMostSpread, s.sums, lane.stream());
    }
  }

  CudaLevelEngine& engine_;
  std::vector<Block> blocks_;
};

}  // namespace

CudaLevelEngine::CudaLevelEngine(const std::vector<int>& devices) : host_(hostLevelEngine()) {
  // Side by side: to open a device takes a second.
  if (devices.size() > 1) others_.resize(devices.size() - 1);
  std::atomic<std::size_t> next = 0;
  const auto open = [&](int) {
    for (std::size_t d = next++; d < others_.size(); d = next++)
      others_[d] = std::make_unique<CudaLevelEngine>(std::vector<int>{devices[d + 1]});
  };
  WorkerThreads openers;
  openers.start(static_cast<int>(others_.size()), open);
  const int device = devices.empty() ? 0 : devices.front();
  PROPHET_CUDA_CHECK(cudaSetDevice(device));
  // Many threads wait for a device: those that do must leave their processors to others.
  PROPHET_CUDA_CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  constexpr double kShare = 0.4, kShareThatStays = 0.5;
  memory_ = std::make_shared<const LevelMemory>(device);
  const auto bytes = static_cast<double>(freeDeviceMemory(0));
  most_ = kShare * bytes;
  room_ = std::make_unique<SharedRoom>(kShareThatStays * bytes);
  openers.join();
  open(0);  // those for which there was no thread
  PROPHET_CUDA_CHECK(cudaSetDevice(device));
}

CudaLevelEngine::~CudaLevelEngine() = default;

std::shared_ptr<LevelEngine> CudaLevelEngine::part(double bytes) {
  CudaLevelEngine* chosen = this;
  {
    const std::lock_guard<std::mutex> alone(mutex_);
    for (const auto& other : others_)
      if (other->parts_ < chosen->parts_) chosen = other.get();
    chosen->parts_ += bytes;
  }
  const std::shared_ptr<void> share(nullptr, [this, bytes, chosen, held = chosen->room_->take(bytes)](void*) {
    const std::lock_guard<std::mutex> alone(mutex_);
    chosen->parts_ -= bytes;
  });
  return {share, chosen};
}

std::string CudaLevelEngine::name() const {
  std::vector<int> devices{memory_->device};
  for (const auto& other : others_) devices.push_back(other->memory_->device);
  return nameOf(devices);
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
  return std::make_unique<CudaLevelProducts>(*this, std::move(blocks));
}

}  // namespace prophet::cuda

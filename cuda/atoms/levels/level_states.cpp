#include "cuda/atoms/levels/level_states.hpp"

#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"
#include "cuda/atoms/levels/level_lane.hpp"

namespace prophet::cuda {
namespace {

Eigen::MatrixXd copied(const LevelMemory& memory, const DeviceBuffer<double>& from, int rows, int columns) {
  Eigen::MatrixXd to(rows, columns);
  PROPHET_CUDA_CHECK(cudaSetDevice(memory.device));
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), usize(rows) * usize(columns) * sizeof(double),
                                     cudaMemcpyDeviceToHost, memory.stream.get()));
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(memory.stream.get()));
  return to;
}

}  // namespace

DeviceBuffer<double> LevelMemory::take(std::size_t size) const {
  PROPHET_CUDA_CHECK(cudaSetDevice(device));
  DeviceBuffer<double> taken(size, pool);
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
  return taken;
}

DeviceStates::DeviceStates(std::shared_ptr<const LevelMemory> owner, int states, int levels)
    : memory(std::move(owner)), rows(states), count(levels), own(memory->take(usize(rows) * usize(count))) {}

const Eigen::MatrixXd& DeviceStates::vectors() const {
  std::call_once(copied_, [&] { vectors_ = copied(*memory, own, rows, count); });
  return vectors_;
}

const std::vector<Eigen::MatrixXd>& DeviceStates::moved() const {
  std::call_once(multiplied_, [&] {
    for (const DeviceBuffer<double>& t : turns)
      moved_.push_back(multiply(vectors(), false, copied(*memory, t, count, count), false));
  });
  return moved_;
}

std::shared_ptr<const DeviceStates> onDevice(std::shared_ptr<const LevelStates> states, LevelLane& lane,
                                             const std::shared_ptr<const LevelMemory>& memory) {
  if (auto there = std::dynamic_pointer_cast<const DeviceStates>(states);
      there && there->memory->device == memory->device)
    return there;
  const auto made = std::make_shared<DeviceStates>(memory, static_cast<int>(states->states()),
                                                   static_cast<int>(states->levels()));
  made->own.upload(states->vectors().data(), made->own.size(), lane.stream());
  for (const Eigen::MatrixXd& moved : states->moved()) {
    const double* const there = lane.upload(LevelLane::kVectors, moved.data(), usize(moved.size()));
    DeviceBuffer<double>& turn =
        made->turns.emplace_back(memory->take(usize(made->count) * usize(made->count)));
    lane.multiply(true, made->count, made->count, made->rows, made->own.data(), there, turn.data());
  }
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(lane.stream()));
  return made;
}

}  // namespace prophet::cuda

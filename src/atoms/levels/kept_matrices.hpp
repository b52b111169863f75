#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "atoms/configurations/determinant_space.hpp"
#include "atoms/levels/level_engine.hpp"
#include "core/common/memory.hpp"

namespace prophet {

/// Matrices of blocks that are needed again, as long as there is room for them. From several threads at once.
class KeptMatrices {
 public:
  using Make = std::function<std::unique_ptr<LevelMatrices>()>;
  /// `operators`: that each of them has.
  explicit KeptMatrices(std::size_t operators) : operators_(operators) {}

  std::shared_ptr<LevelMatrices> of(const LevelBlock& block, const Make& make) {
    {
      const std::lock_guard<std::mutex> alone(mutex_);
      if (const auto found = kept_.find({block.twoJ, block.odd}); found != kept_.end()) return found->second;
    }
    std::shared_ptr<LevelMatrices> made = make();
    const double size = static_cast<double>(made->size());
    const double bytes = 8 * static_cast<double>(operators_) * size * size;
    const std::lock_guard<std::mutex> alone(mutex_);
    if (bytes_ + bytes > most_) return made;
    bytes_ += bytes;
    return kept_.try_emplace({block.twoJ, block.odd}, made).first->second;
  }

 private:
  std::size_t operators_;
  const double most_ = std::min(4e9, 0.1 * availableMemory());  ///< bytes
  std::mutex mutex_;
  double bytes_ = 0;
  std::map<std::pair<int, bool>, std::shared_ptr<LevelMatrices>> kept_;
};

}  // namespace prophet

#include "cuda/atoms/batch/kernel_tables.hpp"

#include <algorithm>

namespace prophet::cuda::batch {
namespace {

/// Coulomb tables take some 80 KB each, those of the Breit interaction a megabyte.
constexpr std::size_t kMostTables = 128;

}  // namespace

KernelTables::Table KernelTables::of(const Shape& shape) {
  const Key key{shape.symmetries, shape.points,     shape.breitParts,
                shape.breitInScf, shape.functional, shape.h};
  std::promise<Table> promise;
  std::shared_future<Table> table;
  bool mine = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (known != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, known);
    } else {
      mine = true;
      entries_.push_front({key, promise.get_future().share()});
      if (entries_.size() > kMostTables) entries_.pop_back();
    }
    table = entries_.front().table;
  }
  if (mine) {
    try {
      promise.set_value(std::make_shared<const std::vector<double>>(kernelTable(shape)));
    } catch (...) {
      promise.set_exception(std::current_exception());
      // Those who wait are told; the next one may have more luck.
      const std::lock_guard<std::mutex> lock(mutex_);
      entries_.remove_if([&](const Entry& e) { return e.key == key; });
    }
  }
  return table.get();
}

}  // namespace prophet::cuda::batch

#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/common/error.hpp"

namespace prophet {

/// An engine with another one for what its device refuses: from its first DeviceError on the other does
/// everything. Other errors are those of the request, which the other would refuse too.
template <class Engine>
class Fallback {
 public:
  /// `instead`: empty where the first one's errors are to be thrown.
  Fallback(std::unique_ptr<Engine> first, std::unique_ptr<Engine> instead)
      : engine_(std::move(first)), instead_(std::move(instead)) {}

  /// The one that works.
  Engine& engine() const { return *engine_; }
  /// What the first one said; empty before it refused.
  const std::string& refusal() const { return refusal_; }

  template <class Work>
  std::invoke_result_t<Work, Engine&> with(const Work& work) {
    if (instead_) {
      try {
        return work(*engine_);
      } catch (const DeviceError& e) {
        refusal_ = e.what();
        engine_ = std::move(instead_);
      }
    }
    return work(*engine_);
  }

 private:
  std::unique_ptr<Engine> engine_, instead_;
  std::string refusal_;
};

}  // namespace prophet

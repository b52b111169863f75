#pragma once
#include <memory>
#include <string>

#include "atoms/frozen/trial_gatherer.hpp"
#include "core/common/permits.hpp"
#include "frontends/app/backend_options.hpp"
#include "operations/backend/cuda_plugin.hpp"

namespace prophet {

/// Elements whose searches together keep a GPU busy: fewer are done before it has started.
inline constexpr int kElementsForGpu = 8;

/// Who measures the trials of searches in frozen fields.
class TrialService {
 public:
  /// A GPU for `elements` side by side, where there is one and that is worthwhile, or where the options name
  /// it; else the CPU. `threads`: of the host. Throws Error if a GPU is requested and cannot be used.
  TrialService(const BackendOptions& options, int elements, int threads);

  TrialMeans means() { return {gatherer_.get(), gatherer_ ? &permits_ : nullptr}; }
  bool onGpu() const { return gatherer_ != nullptr; }
  /// "NVIDIA H200" or "the CPU".
  std::string description() const { return gatherer_ ? gatherer_->deviceName() : "the CPU"; }
  /// Why it is the CPU where the options leave that open; else empty.
  const std::string& choice() const { return choice_; }
  /// Prints at the end what the GPU did and what went wrong.
  void printSummary() const;

 private:
  std::unique_ptr<CudaBackend> cuda_;  ///< outlives the gatherer
  std::unique_ptr<TrialGatherer> gatherer_;
  Permits permits_;
  std::string choice_;
};

}  // namespace prophet

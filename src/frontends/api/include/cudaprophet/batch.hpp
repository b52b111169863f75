#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "cudaprophet/compute.hpp"

namespace cudaprophet {

struct BatchJob {
  Atom atom;
  std::optional<BasisSet> basis;  ///< absent: the library's
  bool limit = false;             ///< the numerical limit instead of an energy in a basis set
};

struct BatchSettings {
  Settings settings;
  Device device = Device::Automatic;  ///< in the place of that of `settings`
  std::string cudaLibrary;            ///< file of the CUDA library; empty: where cudaprophet is installed
  /// Called in the calling thread as results come in: the number finished and the total. An exception ends
  /// the batch.
  std::function<void(std::size_t finished, std::size_t total)> progress;
};

/// Many calculations side by side, in the order of the jobs. A job that fails does not affect the others
/// (Status::Failed and the reason). Throws Error if a GPU was requested and cannot be used.
CUDAPROPHET_API std::vector<Result> computeAll(const std::vector<BatchJob>& jobs,
                                               const BatchSettings& settings = {});

}  // namespace cudaprophet

#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "service/energy_service.hpp"

namespace prophet {

/// One job of a batch: a resolved request, or the reason why there is none (an input file with an error).
struct BatchItem {
  std::string id;
  std::optional<EnergyRequest> request;
  std::string error;
};

struct BatchOptions {
  std::string output;   ///< file of JSON lines
  bool resume = false;  ///< continue a file of an earlier run
};

struct BatchSummary {
  std::size_t total = 0;                                    ///< jobs asked for
  std::size_t skipped = 0;                                  ///< already whole in the output
  std::size_t converged = 0, notConverged = 0, failed = 0;  ///< of those that ran now
  double seconds = 0;
};

/// Called after every job that ran: how many of how many are finished (skipped ones included), and the last.
using BatchProgress = std::function<void(std::size_t finished, std::size_t total, const EnergyOutcome&)>;

/// Runs all jobs and appends one JSON line for each to the output as it finishes, in any order. A line is
/// written whole by one system call, so that a killed run leaves at most one partial line, at the end; with
/// `resume` that one is cut off and jobs that have a whole line are not run again. Throws Error where the
/// output cannot be used (exists without `resume`, damaged in the middle, in use by another run), where two
/// jobs share an id, or the disk is full.
BatchSummary runBatch(EnergyService& service, const std::vector<BatchItem>& items,
                      const BatchOptions& options, const BatchProgress& progress = {});

}  // namespace prophet

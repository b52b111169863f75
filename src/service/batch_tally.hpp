#pragma once
#include "service/batch_run.hpp"

namespace prophet {

/// Counts what becomes of the jobs of a batch.
class BatchTally {
 public:
  explicit BatchTally(std::size_t total) { summary_.total = total; }
  void skip() {
    ++summary_.skipped;
    ++finished_;
  }
  void count(const EnergyOutcome& outcome);
  /// Jobs that are done, skipped ones included.
  std::size_t finished() const { return finished_; }
  const BatchSummary& summary() const { return summary_; }

 private:
  BatchSummary summary_;
  std::size_t finished_ = 0;
};

/// Throws Error where a job has no id or two share one.
void requireDistinctIds(const std::vector<BatchItem>& items);
/// The outcome of a job that has no request.
EnergyOutcome withoutRequest(const BatchItem& item);
/// Submits a job's request under the job's id; one without a request is done at once.
void submitItem(EnergyService& service, const BatchItem& item, const EnergyService::Callback& done);

}  // namespace prophet

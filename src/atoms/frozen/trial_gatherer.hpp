#pragma once
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "atoms/frozen/trial_device.hpp"
#include "core/common/worker_threads.hpp"

namespace prophet {

/// Gathers the trials of many searches, each of which waits for one, into batches for a device: every worker
/// takes all trials of a kind that wait. Where the device fails the host has to measure all further trials.
class TrialGatherer {
 public:
  explicit TrialGatherer(std::unique_ptr<TrialDevice> device);
  /// Waits for the batches that run.
  ~TrialGatherer();
  TrialGatherer(const TrialGatherer&) = delete;
  TrialGatherer& operator=(const TrialGatherer&) = delete;

  std::string deviceName() const { return device_->name(); }
  /// The number of the device's copy of a table, or -1 where it has none (no room, or it has failed): the
  /// host then measures in it.
  int keep(const FieldTable& table);
  /// Lets go of it; -1 is allowed.
  void drop(int table);
  /// Waits for the trial's outcome; empty where the host has to measure it. Thread-safe. `table`: a number of
  /// keep, -1 is allowed. The table contains the exponents.
  std::optional<BasisShortfall> measure(int table, const std::vector<double>& exponents);
  /// The same with derivatives.
  std::optional<ShortfallSlopes> slopes(int table, const std::vector<double>& exponents);

  /// What a user should know: a device that failed, tables without room.
  std::vector<std::string> notes() const;
  /// Trials that the device measured, that it left to the host, and its batches.
  struct Tally {
    std::size_t measured = 0, left = 0, batches = 0;
  };
  Tally tally() const;

 private:
  /// A search that waits, with a lock of its own: hundreds of them are told at once.
  struct Request {
    Trial trial;
    TrialOutcome outcome;
    bool done = false;
    std::mutex mutex;  ///< for outcome and done
    std::condition_variable ready;
  };
  using Batch = std::vector<Request*>;

  std::optional<TrialOutcome> ask(Trial trial);
  void work(int worker);
  Batch take(std::unique_lock<std::mutex>& lock);
  static void finish(const Batch& batch, std::vector<TrialOutcome> outcomes);
  void giveUp(const std::string& reason);

  std::unique_ptr<TrialDevice> device_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::deque<Request*>> waiting_;  ///< by kind
  std::string failure_, refusal_;              ///< of trials; of the first table that was refused
  int refused_ = 0;                            ///< tables
  std::size_t lost_ = 0;                       ///< trials of batches that something else stopped
  std::string loss_;                           ///< what, the last time
  Tally tally_;
  bool stop_ = false;
  WorkerThreads workers_;
};

}  // namespace prophet

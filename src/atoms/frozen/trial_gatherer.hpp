#pragma once
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "atoms/frozen/field_table.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// A basis of one symmetry to be measured in a field that a device keeps.
struct Trial {
  int table = 0;                  ///< the number that TrialDevice::keep gave
  std::vector<double> exponents;  ///< bohr^-2; the table contains them
  bool slopes = false;            ///< whether derivatives are wanted
};

struct TrialOutcome {
  BasisShortfall shortfall;
  Eigen::VectorXd ofRise, ofProlapse;  ///< as ShortfallSlopes has them, where they were wanted
  bool measured = false;  ///< false: the trial is not for this device; the host has to measure it
};

/// Measures many trials at once, as a GPU does.
class TrialDevice {
 public:
  virtual ~TrialDevice() = default;
  virtual std::string name() const = 0;
  /// Keeps a copy of a table and returns its number, or -1 for one that trials cannot be measured in here.
  /// Throws Error where there is no room. Thread-safe, like drop.
  virtual int keep(const FieldTable& table) = 0;
  /// Trials in this table will not come any more.
  virtual void drop(int table) = 0;
  /// Trials of one kind (0 .. kinds() - 1) can be measured together; -1: not here.
  virtual int kinds() const = 0;
  virtual int kindOf(int functions, bool slopes) const = 0;
  /// Threads that may call `measure` side by side, each with its own number (0 .. workers() - 1).
  virtual int workers() const = 0;
  /// Most trials of one call.
  virtual int mostTrials() const = 0;
  /// Measures trials of one kind: as many outcomes. Throws Error where the device fails.
  virtual std::vector<TrialOutcome> measure(int worker, const std::vector<Trial>& trials) = 0;
};

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

/// Who measures the trials of a search: a device, where there is one, and how many threads may compute on the
/// host at once.
struct TrialMeans {
  TrialGatherer* device = nullptr;  ///< nullptr: the host measures
  Permits* host = nullptr;          ///< nullptr: any number
};

/// A frozen field whose trials are interpolated from tables, on a device or on the host: FrozenField's
/// shortfalls to 1e-12 of the energy at a small part of its cost. Exponents that no table contains, and
/// nuclei whose attraction has no closed form, are measured by the FrozenField itself.
class TabulatedField : public BasisTrials {
 public:
  /// The field is to outlive it. Makes the tables; `defects`: also for defectSlopes.
  explicit TabulatedField(const FrozenField& field, const TrialMeans& means = {}, bool defects = false);
  ~TabulatedField() override;
  TabulatedField(const TabulatedField&) = delete;
  TabulatedField& operator=(const TabulatedField&) = delete;

  int symmetries() const override { return field_.symmetries(); }
  int occupied(int symmetry) const override { return field_.occupied(symmetry); }
  BasisShortfall shortfall(int symmetry, const std::vector<double>& exponents) const override;
  /// Empty for exponents that the tables do not contain.
  std::optional<ShortfallSlopes> slopes(int symmetry, const std::vector<double>& exponents) const override;
  bool hasSlopes() const override { return !tables_.empty(); }
  /// FrozenField::defectSlopes, and as it throws; on the host. `defect`: whether that is wanted.
  DefectSlopes defectSlopes(int symmetry, const std::vector<double>& exponents,
                            const Eigen::VectorXd& weights = {}, bool defect = true) const;

 private:
  const FrozenField& field_;
  TrialMeans means_;
  std::vector<FieldTable> tables_;  ///< by symmetry; empty where the attraction has no closed form
  std::vector<int> kept_;           ///< their numbers on the device
};

}  // namespace prophet

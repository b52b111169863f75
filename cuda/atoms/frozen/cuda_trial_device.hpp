#pragma once
#include <functional>
#include <memory>

#include "atoms/frozen/trial_gatherer.hpp"

namespace prophet::cuda {

struct TrialDeviceOptions {
  int device = 0;
  int workers = 8;       ///< batches side by side: while some are computed others are gathered and told
  int mostTrials = 256;  ///< of a batch
  int sharedBytes = 0;   ///< no block takes more shared memory; 0: what the device has
  /// Called before device memory is taken for a table and before a batch is sent; for tests.
  std::function<void()> beforeKeep, beforeBatch;
};

/// Trials in frozen fields on one GPU, a block for each: up to 64 functions, or as many as the shared memory
/// of its multiprocessors holds (57 of an A100, 41 of cards for desks, 30 of a T4), and 8 occupied spinors.
/// Trials near dependence, and those whose eigenvectors inverse iteration does not find at once, are left to
/// the host. Thread-safe as TrialDevice says.
class CudaTrialDevice : public TrialDevice {
 public:
  /// Throws CudaError if the device cannot be used.
  explicit CudaTrialDevice(const TrialDeviceOptions& options = {});
  ~CudaTrialDevice() override;
  std::string name() const override;
  int keep(const FieldTable& table) override;
  void drop(int table) override;
  int kinds() const override;
  int kindOf(int functions, bool slopes) const override;
  int workers() const override;
  int mostTrials() const override;
  std::vector<TrialOutcome> measure(int worker, const std::vector<Trial>& trials) override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace prophet::cuda

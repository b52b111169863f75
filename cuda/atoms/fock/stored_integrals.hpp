#pragma once
#include <string>
#include <vector>

#include "atoms/calculation/stored_settings.hpp"
#include "cuda/atoms/fock/contraction.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

/// A run of whole super-matrix rows, firstRow <= I < endRow.
struct RowRange {
  std::int64_t firstRow, endRow;
  std::int64_t first() const { return triangle(firstRow); }
  std::int64_t count() const { return triangle(endRow) - triangle(firstRow); }
  /// Places for these elements of one matrix.
  std::int64_t room() const { return slabRoom(firstRow, endRow); }
};

/// Which rows stay in device memory and in which pieces the others are computed again for every use.
struct StoragePlan {
  RowRange resident;
  std::vector<RowRange> recomputed;  ///< empty if everything fits
  std::int64_t scratch = 0;          ///< places of the largest recomputed piece
  std::string description;
};

/// Cuts the triangle over `pairs` pairs so that it fits into `available` bytes, `bytesPerElement` for one
/// place of all matrices. Throws Error if not even one row fits.
StoragePlan planStorage(std::int64_t pairs, double bytesPerElement, double available);

/// The eight super-matrices on the device: kept as far as they fit, recomputed piece by piece beyond that.
class StoredIntegrals {
 public:
  /// Queues the computation of all resident rows on `stream`, after what the workspace's stream has queued.
  StoredIntegrals(const StoredBasis& basis, const StoredSettings& settings, const Stream& stream,
                  Workspace& workspace);

  /// What `stream` is given from now on waits for the resident rows.
  void waitFor(cudaStream_t stream) const { PROPHET_CUDA_CHECK(cudaStreamWaitEvent(stream, end_.get())); }
  /// p += P, q += Q of all rows (see Contraction::add), on the workspace's stream, which has waited
  /// for the resident ones; rows that are not kept are computed on the way.
  void contract(Contraction& contraction, const double* totalDensity, const double* openDensity, double* p,
                double* q);
  const StoragePlan& plan() const { return plan_; }
  /// Seconds that the resident rows took; waits for them.
  double integralSeconds() const { return end_.secondsSince(begin_); }

 private:
  void allocate(const StoredSettings& settings);
  void compute(const RowRange& rows, DeviceBuffer<double>& data, cudaStream_t stream);
  SuperMatrixSlab slab(const RowRange& rows, DeviceBuffer<double>& data) const;

  const StoredBasis& basis_;
  Workspace& workspace_;
  bool withArrays_;
  StoragePlan plan_;
  DeviceBuffer<double> resident_, scratch_;
  DeviceBuffer<int> rowArray_;
  DeviceBuffer<FunctionPair> functions_;
  Event ready_{cudaEventDisableTiming}, begin_, end_;
};

}  // namespace prophet::cuda

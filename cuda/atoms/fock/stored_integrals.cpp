#include "cuda/atoms/fock/stored_integrals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prophet::cuda {
namespace {

/// Share of the free device memory that integrals may take.
constexpr double kShareOfFree = 0.9;
/// Share of the allowed memory that recomputed pieces pass through.
constexpr double kShareOfScratch = 0.25;

/// What integrals may take where nothing is said. The driver, whose answer takes its time, is asked only
/// where the pool has not kept enough from the last calculation.
double availableMemory(const DevicePool& pool, double needed) {
  const auto unused = static_cast<double>(pool.unused());
  if (needed <= unused) return unused;
  const std::size_t free = freeDeviceMemory((needed - unused) / kShareOfFree);
  return kShareOfFree * (static_cast<double>(free) + static_cast<double>(pool.unused()));
}

/// The last row end such that rows [first, end) have room in `places`.
std::int64_t lastRow(std::int64_t first, std::int64_t pairs, double places) {
  const double target = static_cast<double>(rowStart(first)) + places;
  std::int64_t end = static_cast<std::int64_t>(0.5 * (std::sqrt(8.0 * target + 1.0) - 1.0));
  while (end > first && static_cast<double>(rowStart(end)) > target) --end;
  return std::clamp(end, first, pairs);
}

}  // namespace

StoragePlan planStorage(std::int64_t pairs, double bytesPerElement, double available) {
  const double needed = bytesPerElement * static_cast<double>(rowStart(pairs));
  if (needed <= available) {
    return {
        {0, pairs}, {}, 0, fmt::format("stored integrals take {:.3g} GB of device memory", needed * 1e-9)};
  }
  const double scratch = kShareOfScratch * available / bytesPerElement;
  const auto longest = static_cast<double>(rowStart(pairs) - rowStart(pairs - 1));
  if (scratch < longest) {
    throw OutOfDeviceMemory(
        fmt::format("one row of the stored integrals needs {:.3g} GB of device memory and {:.3g} GB may "
                    "be used; use fock='grid', or free memory on the GPU",
                    bytesPerElement * longest / kShareOfScratch * 1e-9, available * 1e-9));
  }
  StoragePlan plan;
  plan.resident = {0, lastRow(0, pairs, available / bytesPerElement - scratch)};
  for (std::int64_t row = plan.resident.endRow; row < pairs;) {
    const std::int64_t end = lastRow(row, pairs, scratch);
    plan.recomputed.push_back({row, end});
    plan.scratch = std::max(plan.scratch, plan.recomputed.back().room());
    row = end;
  }
  plan.description = fmt::format(
      "stored integrals need {:.3g} GB and {:.3g} GB of device memory may be used: {:.0f} % are kept, the "
      "others "
      "are computed again in {} pieces for every Fock matrix",
      needed * 1e-9, available * 1e-9,
      100.0 * static_cast<double>(plan.resident.count()) / static_cast<double>(triangle(pairs)),
      plan.recomputed.size());
  return plan;
}

StoredIntegrals::StoredIntegrals(const StoredBasis& basis, const StoredSettings& settings,
                                 const Stream& stream, Workspace& workspace)
    : basis_(basis), workspace_(workspace), withArrays_(settings.mapping == MappingKind::StoredArrays) {
  allocate(settings);
  ready_.record(workspace_.stream());
  PROPHET_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), ready_.get()));
  begin_.record(stream.get());
  try {
    compute(plan_.resident, resident_, stream.get());
  } catch (...) {
    // Memory goes back in the order of another stream.
    cudaStreamSynchronize(stream.get());
    throw;
  }
  end_.record(stream.get());
}

/// Free memory can be in pieces or be taken by others meanwhile: on refusal less is asked for.
void StoredIntegrals::allocate(const StoredSettings& settings) {
  const double bytes = 8.0 * sizeof(double) + (withArrays_ ? sizeof(int) : 0);
  const std::int64_t pairs = basis_.index().pairs();
  const double needed = bytes * static_cast<double>(rowStart(pairs));
  double available =
      settings.memoryLimit > 0 ? settings.memoryLimit : availableMemory(workspace_.pool(), needed);
  if (withArrays_) functions_ = workspace_.make<FunctionPair>(static_cast<std::size_t>(pairs));
  for (;; available *= 0.5) {
    plan_ = planStorage(pairs, bytes, available);
    const std::int64_t resident = plan_.resident.room(), largest = std::max(resident, plan_.scratch);
    try {
      resident_ = workspace_.make<double>(static_cast<std::size_t>(8 * resident));
      scratch_ = workspace_.make<double>(static_cast<std::size_t>(8 * plan_.scratch));
      if (withArrays_) rowArray_ = workspace_.make<int>(static_cast<std::size_t>(largest));
      return;
    } catch (const OutOfDeviceMemory&) {
      resident_ = DeviceBuffer<double>();
      scratch_ = DeviceBuffer<double>();
    }
  }
}

SuperMatrixSlab StoredIntegrals::slab(const RowRange& rows, DeviceBuffer<double>& data) const {
  return makeSlab(data.data(), rows.firstRow, rows.endRow);
}

void StoredIntegrals::compute(const RowRange& rows, DeviceBuffer<double>& data, cudaStream_t stream) {
  const IndexArrays arrays{rowArray_.data(), functions_.data()};
  if (withArrays_) {
    searchIndices(basis_.view(), basis_.index().pairs(), rows.first(), rows.count(), rowArray_.data(),
                  functions_.data(), stream);
  }
  computeSuperMatrices(basis_, slab(rows, data), withArrays_ ? &arrays : nullptr, stream);
}

void StoredIntegrals::contract(Contraction& contraction, const double* totalDensity,
                               const double* openDensity, double* p, double* q) {
  const auto add = [&](const RowRange& rows, DeviceBuffer<double>& data) {
    contraction.add(slab(rows, data), rows.firstRow, rows.endRow, totalDensity, openDensity, p, q,
                    workspace_.stream());
  };
  add(plan_.resident, resident_);
  for (const RowRange& rows : plan_.recomputed) {
    compute(rows, scratch_, workspace_.stream());
    add(rows, scratch_);
  }
}

}  // namespace prophet::cuda

#pragma once
#include <cstdio>
#include <memory>
#include <string>

#include "atoms/service/energy_service.hpp"
#include "frontends/app/backend_options.hpp"
#include "operations/backend/cuda_plugin.hpp"
#include "operations/execution/rank_place.hpp"

namespace prophet {

/// Searches that optimise side by side: fewer than this are quicker on a few cores, with warm starts, than on
/// a GPU, where many energies at once take as long as one.
inline constexpr int kStartsForGpu = 16;

/// Who computes a batch.
struct BatchService {
  std::unique_ptr<CudaBackend> cuda;  ///< outlives the service; empty on the CPU
  std::unique_ptr<EnergyService> energies;
  std::string choice;  ///< why it is the CPU if the user left that open; else empty
};

/// GPUs where there are any (this rank's part of all, or of those of --device), else the CPU. `threads`: of
/// the CPU, also for what a GPU leaves to it. Throws Error if a GPU was requested and cannot be used.
/// `worthAGpu` false: the CPU, and no GPU library is opened, unless the options name a GPU.
BatchService openBatchService(const BackendOptions& options, const RankPlace& place, int threads,
                              bool worthAGpu);
/// The same for a process by itself, a GPU where there is one.
BatchService openBatchService(const BackendOptions& options, int threads);
/// Energies of the searches that one input file runs side by side: a GPU (the first one, if none is
/// named) from kStartsForGpu on, or if one is requested or named; else the CPU. Throws as
/// openBatchService.
BatchService openSearchService(BackendOptions options, int searches, int threads);
/// The CPU, with the reason for `choice`.
BatchService openHostService(int threads, const std::string& reason);
/// The service's notes for the user at the end, a "note: " line each; prints nothing if `quiet`.
void printNotes(const EnergyService& service, bool quiet, std::FILE* to = stdout);
/// Whether the options leave the choice between CPU and GPU to the size of the batch.
bool sizeDecides(const BackendOptions& options);

}  // namespace prophet

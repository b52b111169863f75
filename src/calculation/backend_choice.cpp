#include "calculation/backend_choice.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace prophet {
namespace {

/// What the input asks for and the GPU does not have; empty where there is nothing.
std::string missingOnGpu(const Calculation& c) {
  if (c.fock == FockKind::Grid)
    return "one calculation on the grid runs on the CPU; use fock='stored', 'stse' or 'mtse', or "
           "'cudaprophet "
           "batch' for many calculations";
  if (c.job.beyondCoulomb.any())
    return "the Breit interaction and QED corrections are computed on the CPU only";
  return "";
}

/// STSE and MTSE are ways to share the work among GPU threads; the matrices are the same without them.
void noteGpuAlgorithm(Calculation& c) {
  if (c.fock != FockKind::Stse && c.fock != FockKind::Mtse) return;
  c.choices.push_back(fmt::format(
      "Fock matrix: fock='{}' divides work among GPU threads; the CPU forms the same P and Q from "
      "the same stored integrals",
      c.fock == FockKind::Stse ? "stse" : "mtse"));
}

std::unique_ptr<CudaBackend> onCpu(Calculation& c, const std::string& reason) {
  if (!reason.empty()) c.choices.push_back("CPU, because " + reason);
  noteGpuAlgorithm(c);
  return nullptr;
}

}  // namespace

std::unique_ptr<CudaBackend> chooseBackend(Calculation& c, BackendRequest request, int device,
                                           const std::string& cudaLibrary) {
  if (request == BackendRequest::Cpu) return onCpu(c, "");
  const std::string missing = missingOnGpu(c);
  if (request == BackendRequest::Cuda && !missing.empty()) throw Error("--backend cuda: " + missing);
  // The grid is no fallback: it belongs on the CPU, and there is nothing to say.
  if (c.fock == FockKind::Grid) return nullptr;
  if (!missing.empty()) return onCpu(c, missing);
  CudaBackendOrReason cuda = openCudaBackend(device, cudaLibrary);
  if (!cuda.backend) {
    if (request == BackendRequest::Cuda) throw Error("--backend cuda: " + cuda.reason);
    return onCpu(c, cuda.reason);
  }
  if (request == BackendRequest::Automatic)
    c.choices.push_back(fmt::format("GPU {} ({}) for the stored integrals", device, cuda.backend->device()));
  return std::move(cuda.backend);
}

}  // namespace prophet

#include "operations/jobs/backend_choice.hpp"

#include <fmt/format.h>

#include "core/common/error.hpp"
#include "core/common/failure.hpp"

namespace prophet {
namespace {

/// What the input asks for and the GPU does not have; empty if it has everything.
std::string missingOnGpu(const Calculation& c) {
  if (c.inBasis().fock == FockKind::Grid)
    return "one calculation on the grid runs on the CPU; use fock='stored', 'stse' or 'mtse', or "
           "'cudaprophet "
           "batch' for many calculations";
  if (!c.problem.hamiltonian.isFourComponent())
    return fmt::format("hamiltonian='{}' runs on the CPU only", nameOf(c.problem.hamiltonian.oneElectron));
  if (c.problem.hamiltonian.isKohnSham())
    return fmt::format(
        "one calculation with functional='{}' runs on the CPU; 'cudaprophet batch' computes many on a GPU",
        c.problem.hamiltonian.functional);
  if (c.inBasis().basis.contracted()) return "contracted functions run on the CPU only";
  if (c.problem.hamiltonian.hasCorrections())
    return "the Breit interaction, QED corrections and charged shells are computed on the CPU only";
  return "";
}

/// STSE and MTSE are ways to share the work among GPU threads; the matrices are the same without them.
void noteGpuAlgorithm(ResolvedJob& job) {
  const FockKind fock = job.calculation.inBasis().fock;
  if (job.calculation.inBasis().mapping == MappingKind::StoredArrays)
    job.choices.push_back(
        "index arrays: mapping='arrays' is for a GPU; the CPU numbers the same stored integrals directly");
  if (fock != FockKind::Stse && fock != FockKind::Mtse) return;
  job.choices.push_back(fmt::format(
      "Fock matrix: fock='{}' divides work among GPU threads; the CPU forms the same P and Q from "
      "the same stored integrals",
      nameOf(fock)));
}

std::unique_ptr<CudaBackend> onCpu(ResolvedJob& job, const std::string& reason) {
  if (!reason.empty()) job.choices.push_back("CPU, because " + reason);
  noteGpuAlgorithm(job);
  return nullptr;
}

}  // namespace

std::unique_ptr<CudaBackend> chooseBackend(ResolvedJob& job, BackendRequest request, int device,
                                           const std::string& cudaLibrary) {
  if (request == BackendRequest::Cpu) return onCpu(job, "");
  const std::string missing = missingOnGpu(job.calculation);
  if (request == BackendRequest::Cuda && !missing.empty()) throw FailureError("backend cuda: " + missing);
  // The grid is no fallback: it belongs on the CPU, and there is nothing to say.
  if (job.calculation.inBasis().fock == FockKind::Grid) return nullptr;
  if (!missing.empty()) return onCpu(job, missing);
  CudaBackendOrReason cuda = openCudaBackend(device, cudaLibrary);
  if (!cuda.backend) {
    if (request == BackendRequest::Cuda) throw FailureError("backend cuda: " + cuda.reason);
    return onCpu(job, cuda.reason);
  }
  if (request == BackendRequest::Automatic)
    job.choices.push_back(
        fmt::format("GPU {} ({}) for the stored integrals", device, cuda.backend->device()));
  return std::move(cuda.backend);
}

}  // namespace prophet

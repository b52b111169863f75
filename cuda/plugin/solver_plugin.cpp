#include "common/build_tag.hpp"
#include "cuda/common/check.hpp"
#include "cuda/plugin/solver_entry.hpp"
#include "cuda/scf/stored_scf.hpp"

/// The second shared library's entry: what needs cuBLAS and cuSOLVER.
extern "C" __attribute__((visibility("default"))) void cudaprophetSolveStored(
    const prophet::cuda::SolverRequest& request, prophet::ScfResult& result) {
  // This library has a copy of the CUDA runtime of its own, which knows nothing of the other's device.
  PROPHET_CUDA_CHECK(cudaSetDevice(request.device));
  const prophet::AtomProblem& problem = request.problem;
  result = prophet::cuda::runStoredScf(request.method.basis, problem.nucleus, problem.configuration,
                                       problem.hamiltonian.speedOfLight, request.method.scf, request.settings,
                                       request.observer, request.report);
}

extern "C" __attribute__((visibility("default"))) const char* cudaprophetBuildTag() {
  return prophet::kBuildTag;
}

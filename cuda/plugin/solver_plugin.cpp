#include "common/build_tag.hpp"
#include "cuda/common/check.hpp"
#include "cuda/mesh/cuda_shape_engine.hpp"
#include "cuda/mesh/cuda_spme_engine.hpp"
#include "cuda/plugin/library_parts.hpp"
#include "cuda/scf/stored_scf.hpp"

/// The second shared library's entry: what needs cuBLAS, cuSOLVER and cuFFT.
namespace prophet::cuda {
namespace {

class Parts : public LibraryParts {
 public:
  ScfResult solve(const SolverRequest& request) const override {
    // This library has a copy of the CUDA runtime of its own, which knows nothing of the other's device.
    PROPHET_CUDA_CHECK(cudaSetDevice(request.device));
    const AtomProblem& problem = request.problem;
    return runStoredScf(request.method.basis, problem.nucleus, problem.configuration,
                        problem.hamiltonian.speedOfLight, request.method.scf, request.settings,
                        request.observer, request.report);
  }
  std::unique_ptr<SpmeEngine> makeSpmeEngine(const std::vector<int>& devices) const override {
    return std::make_unique<CudaSpmeEngine>(devices);
  }
  std::unique_ptr<ShapeEngine> makeShapeEngine(const std::vector<int>& devices) const override {
    return std::make_unique<CudaShapeEngine>(devices);
  }
};

}  // namespace
}  // namespace prophet::cuda

extern "C" __attribute__((visibility("default"))) const prophet::cuda::LibraryParts*
cudaprophetLibraryParts() {
  static const prophet::cuda::Parts parts;
  return &parts;
}

extern "C" __attribute__((visibility("default"))) const char* cudaprophetBuildTag() {
  return prophet::kBuildTag;
}

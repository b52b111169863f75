#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/common/fallback.hpp"
#include "frontends/app/backend_options.hpp"
#include "operations/backend/cuda_plugin.hpp"

namespace prophet {

/// The GPUs' library where GPUs are asked for, or where they are `worthwhile` and there are some; else empty,
/// and `note` says why, if there is anything to say. Throws Error if the GPU is insisted on and there is
/// none.
std::unique_ptr<CudaBackend> cudaFor(const BackendOptions& options, bool worthwhile, std::string& note);

/// An engine of the GPUs' library, which it keeps open. What the GPU refuses (a full memory, too many bins)
/// the engine `instead` does, the processor's, unless that is empty.
template <class Engine>
class DeviceEngine {
 public:
  DeviceEngine(std::unique_ptr<CudaBackend> backend, std::unique_ptr<Engine> engine,
               std::unique_ptr<Engine> instead)
      : backend_(std::move(backend)), engines_(std::move(engine), std::move(instead)) {}

  Engine& engine() const { return engines_.engine(); }

  template <class Work>
  std::invoke_result_t<Work, Engine&> with(const Work& work) {
    return engines_.with(work);
  }

 private:
  std::unique_ptr<CudaBackend> backend_;
  Fallback<Engine> engines_;
};

/// Where sums over triangles and of charges are formed; `devices` of the options: those of this process.
std::unique_ptr<ShapeEngine> shapeEngineFor(const BackendOptions& options, int threads, bool worthwhile,
                                            std::string& note);
std::unique_ptr<SpmeEngine> spmeEngineFor(const BackendOptions& options, int threads, bool worthwhile,
                                          std::string& note);

}  // namespace prophet

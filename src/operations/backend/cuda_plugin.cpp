#include "operations/backend/cuda_plugin.hpp"

#include "core/common/plugin_library.hpp"

namespace prophet {
namespace {

/// The library's entry: a new backend, or nullptr and the reason.
using Entry = CudaBackend* (*)(int device, std::string* reason);

}  // namespace

CudaBackendOrReason openCudaBackend(int device, const std::string& library) {
  // Never closed: CUDA's own libraries do not survive it.
  const PluginEntry plugin = openPlugin({"libcudaprophet_cuda.so", library, "cuda", "cudaprophetOpenCuda"});
  if (!plugin.found) return {nullptr, "this program was built or installed without its CUDA library"};
  if (!plugin.function) return {nullptr, "the CUDA library " + plugin.problem};
  // dlsym returns functions as void*; POSIX guarantees this conversion.
  const auto entry = reinterpret_cast<Entry>(plugin.function);
  std::string reason;
  std::unique_ptr<CudaBackend> backend(entry(device, &reason));
  return {std::move(backend), reason};
}

}  // namespace prophet

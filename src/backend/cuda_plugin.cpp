#include "backend/cuda_plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace prophet {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libcudaprophet_cuda.so";
constexpr const char* kEntry = "cudaprophetOpenCuda";
/// The library's entry: a new backend, or nullptr and the reason.
using Entry = CudaBackend* (*)(int device, std::string* reason);

std::vector<fs::path> places() {
  if (const char* chosen = std::getenv("CUDAPROPHET_CUDA_LIBRARY"); chosen && *chosen)
    return {fs::path(chosen)};
  std::error_code failed;
  const fs::path binary = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const fs::path folder = binary.parent_path();
  return {folder / kLibrary, folder.parent_path() / "lib" / kLibrary, folder / "cuda" / kLibrary,
          folder.parent_path() / "cuda" / kLibrary};
}

Entry entryOf(void* library) {
  // dlsym returns functions as void*; POSIX guarantees this conversion.
  return reinterpret_cast<Entry>(dlsym(library, kEntry));
}

}  // namespace

CudaBackendOrReason openCudaBackend(int device) {
  for (const fs::path& path : places()) {
    std::error_code failed;
    if (!fs::exists(path, failed)) continue;
    // Never closed: CUDA's own libraries do not survive it.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return {nullptr, fmt::format("the CUDA library cannot be loaded ({})", dlerror())};
    const Entry entry = entryOf(library);
    if (!entry) return {nullptr, fmt::format("{} is not this program's CUDA library", path.string())};
    std::string reason;
    std::unique_ptr<CudaBackend> backend(entry(device, &reason));
    return {std::move(backend), reason};
  }
  return {nullptr, "this program was built or installed without its CUDA library"};
}

}  // namespace prophet

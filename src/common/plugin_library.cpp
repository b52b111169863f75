#include "common/plugin_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace prophet {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> places(const PluginLibrary& library) {
  if (const char* chosen = std::getenv(library.variable.c_str()); chosen && *chosen)
    return {fs::path(chosen)};
  std::error_code failed;
  const fs::path binary = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const fs::path folder = binary.parent_path(), above = folder.parent_path();
  return {folder / library.file, above / "lib" / library.file, folder / library.buildFolder / library.file,
          above / library.buildFolder / library.file};
}

std::string lastError() {
  const char* text = dlerror();
  return text ? text : "no reason given";
}

}  // namespace

PluginEntry openPlugin(const PluginLibrary& library) {
  for (const fs::path& path : places(library)) {
    std::error_code failed;
    if (!fs::exists(path, failed)) continue;
    void* handle = dlopen(path.c_str(), RTLD_NOW | (library.global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!handle) return {nullptr, true, "cannot be loaded (" + lastError() + ")"};
    void* function = dlsym(handle, library.entry.c_str());
    if (!function) return {nullptr, true, "is not this program's: " + path.string()};
    return {function, true, ""};
  }
  return {};
}

}  // namespace prophet

#include "core/common/plugin_library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include "core/common/files.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> places(const PluginLibrary& library) {
  if (!library.chosen.empty()) return {fs::path(library.chosen)};
  const fs::path own = ownFile();
  if (own.empty()) return {};
  const fs::path folder = own.parent_path(), above = folder.parent_path();
  return {folder / library.file, above / kLibraryFolder / library.file,
          folder / library.buildFolder / library.file, above / library.buildFolder / library.file};
}

std::string lastError() {
  const char* text = dlerror();
  return text ? text : "no reason given";
}

/// What is wrong with an opened library; empty where nothing is.
std::string complaint(const fs::path& path, void* handle, void* entry) {
  // dlsym returns functions as void*; POSIX guarantees this conversion.
  const auto tag = reinterpret_cast<const char* (*)()>(dlsym(handle, "cudaprophetBuildTag"));
  if (!entry || !tag) return "does not belong to this program: " + path.string();
  if (std::string(tag()) == kBuildTag) return "";
  return std::string("is of another build: ") + path.string() + " is version " + tag() +
         ", this program is version " + kBuildTag + "; install both from one build";
}

}  // namespace

PluginEntry openPlugin(const PluginLibrary& library) {
  for (const fs::path& path : places(library)) {
    std::error_code failed;
    if (!fs::exists(path, failed)) continue;
    void* handle = dlopen(path.c_str(), RTLD_NOW | (library.global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!handle) return {nullptr, true, "cannot be loaded (" + lastError() + ")"};
    void* function = dlsym(handle, library.entry.c_str());
    const std::string problem = complaint(path, handle, function);
    return {problem.empty() ? function : nullptr, true, problem};
  }
  return {};
}

}  // namespace prophet

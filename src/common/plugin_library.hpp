#pragma once
#include <string>

namespace prophet {

/// A library of this program that is opened only when it is needed, so that all other runs start without it.
struct PluginLibrary {
  std::string file;         ///< "libcudaprophet_cuda.so"
  std::string variable;     ///< environment variable that may name another file
  std::string buildFolder;  ///< where a build tree has it, below its root
  std::string entry;        ///< its only function
  bool global = false;      ///< its symbols serve libraries that it opens itself
};

/// The entry of a library, or the reason why there is none.
struct PluginEntry {
  void* function = nullptr;
  bool found = false;   ///< there is such a file
  std::string problem;  ///< of a file that is there and cannot be used
};

/// Opens a library from the file that its variable names, else from the binary's folder, from ../lib, or from
/// the build tree. It is never closed. Never throws.
PluginEntry openPlugin(const PluginLibrary& library);

}  // namespace prophet

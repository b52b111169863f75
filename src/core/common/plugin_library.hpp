#pragma once
#include <string>

#include "core/common/version.hpp"

#define PROPHET_TEXT_OF(macro) #macro
#define PROPHET_TEXT(macro) PROPHET_TEXT_OF(macro)

namespace prophet {

/// What the program and a library that it opens must have in common to exchange C++ objects: the version, how
/// the compiler lays objects out (its own ABI, that of std::string, the alignment that Eigen follows).
inline constexpr const char* kBuildTag =
    PROPHET_VERSION ", C++ ABI " PROPHET_TEXT(__GXX_ABI_VERSION) "." PROPHET_TEXT(
        _GLIBCXX_USE_CXX11_ABI) ", alignment " PROPHET_TEXT(__BIGGEST_ALIGNMENT__);

/// A library of this program that is opened only when it is needed, so that all other runs start without it.
/// Beside its entry it has a function `const char* cudaprophetBuildTag()` that returns its kBuildTag.
struct PluginLibrary {
  std::string file;         ///< "libcudaprophet_cuda.so"
  std::string chosen;       ///< path of the file to take; empty: looked for where this code is installed
  std::string buildFolder;  ///< where a build tree has it, below its root
  std::string entry;        ///< its only other function
  bool global = false;      ///< other libraries that it opens need to see its symbols
};

/// The entry of a library, or the reason why there is none.
struct PluginEntry {
  void* function = nullptr;
  bool found = false;   ///< there is such a file
  std::string problem;  ///< of a file that is there and cannot be used
};

/// Opens the chosen file, else the library beside the program (or shared library) that this code is part of,
/// in its ../lib, or in the build tree. Refuses one of another build (see common/build_tag.hpp). It is never
/// closed. Never throws.
PluginEntry openPlugin(const PluginLibrary& library);

}  // namespace prophet

#pragma once
#include <string>

namespace prophet {

/// Whether the name of a collection is the path of a folder or file of the user, as a shell takes it: "." and
/// "..", and whatever has a '/'.
inline bool isLibraryPath(const std::string& library) {
  return library == "." || library == ".." || library.find('/') != std::string::npos;
}

}  // namespace prophet

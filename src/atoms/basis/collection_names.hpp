#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace prophet {

/// The names of the collections of basis sets that there are, ascending; `sets` as in library.hpp. Throws
/// Error where there is no folder of them.
std::vector<std::string> collectionNames(const std::filesystem::path& sets = {});

/// Whether the name of a collection is the path of a folder or file of the user, as a shell takes it: "." and
/// "..", and whatever has a '/'.
inline bool isLibraryPath(const std::string& library) {
  return library == "." || library == ".." || library.find('/') != std::string::npos;
}

}  // namespace prophet

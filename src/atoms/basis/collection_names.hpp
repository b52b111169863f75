#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace prophet {

/// The names of the collections of basis sets that there are, ascending; `sets` as in library.hpp. Throws
/// Error where there is no folder of them.
std::vector<std::string> collectionNames(const std::filesystem::path& sets = {});

}  // namespace prophet

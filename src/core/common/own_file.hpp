#pragma once
#include <filesystem>

namespace prophet {

/// The file that holds this code: the program, or the shared library where it is part of one. Files
/// that belong to it are found relative to it. Empty if the system does not tell.
std::filesystem::path ownFile();

}  // namespace prophet

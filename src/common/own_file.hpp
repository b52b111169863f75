#pragma once
#include <filesystem>

namespace prophet {

/// The file that holds this code: the program, or the shared library where it is part of one. Where files
/// that belong to it lie is told relative to it. Empty where the system does not say.
std::filesystem::path ownFile();

}  // namespace prophet

#pragma once
#include <string>

namespace prophet {

/// Replaces a file's content in one step: writes a temporary file beside it and renames it, so that a reader
/// or a killed run never sees half of it. Throws Error with the system's reason.
void writeFileAtomically(const std::string& path, const std::string& content);

}  // namespace prophet

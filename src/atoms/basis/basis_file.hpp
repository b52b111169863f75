#pragma once
#include <filesystem>
#include <istream>
#include <string>

#include "atoms/basis/library.hpp"

namespace prophet {

/// Reads one element's basis file (format: basis_sets/README.md). `file` names it in messages. Throws Error,
/// "file:line: error: ...", for anything that the format does not allow.
LibraryEntry readBasisFile(std::istream& in, const std::string& file);

/// Name of an element's file in its collection, such as "086-Rn.basis".
std::string basisFileName(int z);

}  // namespace prophet

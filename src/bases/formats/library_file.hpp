#pragma once
#include <string>

#include "atoms/basis/library.hpp"

namespace prophet {

/// The text of an element's library file (format 1, of exponents 2, of basis_sets/README.md), shortest digits
/// that read back to the same numbers; readBasisFile gives the same entry again. Throws Error for what the
/// format cannot hold (a parameter that is not a finite number).
std::string libraryFileText(const LibraryEntry& entry);

}  // namespace prophet

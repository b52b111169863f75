#pragma once
#include "atoms/basis/library.hpp"

namespace prophet {

/// So begins what the source of a set says of the group "core", at its end.
inline constexpr const char* kCoreStatement = "core functions";

/// The set without this group, and without what its provenance says of it.
LibraryEntry withoutCore(LibraryEntry entry);

}  // namespace prophet

#pragma once
#include "atoms/basis/library.hpp"

namespace prophet {

/// So begins what the source of a set says of a group on request; it ends before the next "; ".
inline constexpr const char* kCoreStatement = "core functions";
inline constexpr const char* kDiffuseStatement = "diffuse functions";

/// A source without the statements that begin so.
std::string withoutStatement(std::string source, const std::string& statement);

/// The set without this group, one of kGroupsOnRequest, and without what its provenance says of it.
LibraryEntry withoutGroup(LibraryEntry entry, const std::string& name);

}  // namespace prophet

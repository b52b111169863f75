#pragma once
#include <optional>
#include <string>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/library.hpp"

namespace prophet {

/// Whether a library's set was made for this very calculation. If not, how it differs, as the end of a
/// sentence: "the library's set is for the neutral ground configuration", ...
std::optional<std::string> purposeMismatch(const LibraryEntry& entry, const Nucleus& nucleus,
                                           const Configuration& configuration, double c);

}  // namespace prophet

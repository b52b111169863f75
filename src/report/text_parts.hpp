#pragma once
#include <string>

#include "calculation/calculation.hpp"

namespace prophet {

/// A section's title line, with an empty line before it.
std::string textRule(const std::string& title);
/// One line of a section.
std::string keyValue(const std::string& key, const std::string& value);
/// "Rn, Z = 86, 86 electrons".
std::string atomName(const Calculation& calculation);
/// Closed and open spinors of each symmetry that has electrons.
std::string occupationTable(const Configuration& configuration);

}  // namespace prophet

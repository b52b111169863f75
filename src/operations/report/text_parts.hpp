#pragma once
#include <string>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "core/common/number.hpp"

namespace prophet {

/// A section's title line, with an empty line before it.
std::string textRule(const std::string& title);
/// One line of a section.
std::string keyValue(const std::string& key, const std::string& value);
/// Lines of an energy's parts; those of first order stand by themselves, with the sum of everything.
std::string energyPartLines(const EnergyBreakdown& energy);
/// "Rn, Z = 86, 86 electrons".
std::string atomName(const AtomProblem& problem);
/// A "warning: " line each, or nothing.
std::string warningLines(const std::vector<Warning>& warnings);
/// Closed and open spinors of each symmetry that has electrons.
std::string occupationTable(const Configuration& configuration);

}  // namespace prophet

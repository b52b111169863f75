#pragma once
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "operations/input/sections.hpp"

namespace prophet {

/// Adds an error at a keyword of $seconfig if there are far more electrons than protons.
void checkTotal(JobReading& reading, double electrons, const std::string& keyword);

/// Whether the basis has room for the occupied spinors of each symmetry; the error goes to a keyword (see
/// JobReading::place) and names the configuration as `what`.
void checkSpinors(JobReading& reading, const std::vector<int>& needed, const std::string& group,
                  const std::string& keyword, const std::string& what);

/// $seconfig with nclose and nopen; `lines` of the lines behind the group belong to it.
void readSpinorLists(JobReading& reading, const NamelistGroup& group, std::size_t lines);

}  // namespace prophet

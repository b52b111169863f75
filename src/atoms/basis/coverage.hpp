#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/basis/basis_set.hpp"

namespace prophet {

/// Functions that the configuration needs in each symmetry at least: its highest spinor and all below it. Up
/// to the last symmetry with electrons.
std::vector<int> functionsNeeded(const Configuration& configuration);
/// Functions that a basis has in each symmetry.
std::vector<int> functionsOf(const BasisSet& basis);

/// A sentence about `what` ("the configuration") where a basis of so many symmetries lacks one that it
/// occupies.
std::optional<std::string> missingSymmetry(const std::string& what, const std::vector<int>& needed,
                                           int symmetries);
/// Sentences, one for each symmetry whose functions are too few for its spinors.
std::vector<std::string> missingFunctions(const std::string& what, const std::vector<int>& needed,
                                          const std::vector<int>& functions);

/// Throws Error where the basis cannot hold the configuration.
void requireCovered(const BasisSet& basis, const Configuration& configuration);

}  // namespace prophet

#pragma once
#include <string>
#include <vector>

#include "atoms/atom/species.hpp"

namespace prophet {

/// Atoms and ions by their names, "all" (the neutral atoms) and "ions" (those of the International Tables).
/// An isotope has its element's electrons. Throws Error.
std::vector<Species> speciesOf(const std::vector<std::string>& words);

/// A species after holes and promotions (withHoles, withPromotions; empty: none), with their charge and, in
/// its name, with them. Throws Error where its configuration has no such electron.
Species withMoves(Species species, const std::string& holes, const std::string& promotions);

}  // namespace prophet

#pragma once
// What readers of CIF share.
#include <gemmi/unitcell.hpp>
#include <optional>
#include <string>
#include <vector>

#include "matter/structure/cif_symmetry.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {

/// A number that may have its standard deviation behind it, 0.25(1).
std::optional<double> numberWithError(const std::string& text);

/// The cell. Throws StructureError where a number of it is missing or none.
gemmi::UnitCell cellOf(const CifBlock& block);

/// A column of the loop of sites, or nothing for all of them where there is none.
std::vector<std::string> siteColumn(const CifBlock& block, const std::string& tag, std::size_t size);

/// The models of a block of the dictionary of macromolecules (mmCIF), whose coordinates are Cartesian:
/// periodic where it has a cell, which is not that of 0 or 1 angstrom with right angles that stands for none.
/// Throws StructureError, also for axes that are not the usual ones (a along x, b in the plane of x and y)
/// and as addWholeAtoms does.
std::vector<Structure> modelsOf(const CifBlock& block);

}  // namespace prophet

#pragma once
#include <string>
#include <vector>

#include "matter/structure/structure.hpp"

namespace prophet {

/// The cubic cell of a named crystal, or of a structure type with names and edge, with its lattice.
///
/// "CoO", "NaCl", "MgO", "Au", "Cu", "Al", "Ag", "Pt", "Ni", "Fe", "Si", "diamond" stand for a type, atoms
/// and an edge (latticeNames says which); "TYPE:A:EDGE" or "TYPE:A,B:EDGE" are any others: sc, bcc, fcc and
/// diamond have one kind, rocksalt, cscl, zincblende and fluorite two; the edge is in angstrom. Throws Error,
/// which lists all.
Structure namedLattice(const std::string& name);

/// The names, each with what it stands for: "CoO = rocksalt:Co,O:4.26".
std::vector<std::string> latticeNames();

}  // namespace prophet

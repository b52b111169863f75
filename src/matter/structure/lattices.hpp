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

/// A body cut from a crystal; lengths in angstrom.
struct Shape {
  enum class Kind { Sphere, Cube, Rod, Cells };
  Kind kind = Kind::Sphere;
  double size = 0;           ///< diameter, or edge
  double length = 0;         ///< of a rod, along c
  int cells[3] = {1, 1, 1};  ///< of Cells: a periodic block of so many unit cells
};

/// "sphere:100", "cube:50", "rod:30:120" (diameter, length), "cells:10,10,10". Throws Error.
Shape parseShape(const std::string& text);

/// The atoms of a crystal inside a shape whose centre is the first atom of the cell; a block of cells keeps a
/// lattice. Atoms on the surface (to 1e-6 angstrom) are inside. Throws Error for a structure without lattice,
/// and for more than 2e8 atoms.
Structure cutShape(const Structure& cell, const Shape& shape);

}  // namespace prophet

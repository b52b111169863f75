#pragma once
#include <Eigen/Core>
#include <map>
#include <string>
#include <utility>
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
  enum class Kind { Sphere, Ellipsoid, Cube, Rod, Wulff, Cells };
  Kind kind = Kind::Sphere;
  double size = 0;                                      ///< diameter, or edge
  double length = 0;                                    ///< of a rod, along c
  int cells[3] = {1, 1, 1};                             ///< of Cells: a periodic block of so many unit cells
  Eigen::Vector3d diameters = Eigen::Vector3d::Zero();  ///< of an ellipsoid, along x, y and z
  /// Outward normals and distances of the facets of a Wulff polyhedron.
  std::vector<std::pair<Eigen::Vector3d, double>> facets{};
};

/// "sphere:100", "ellipsoid:30:30:60" (diameters), "cube:50", "rod:30:120" (diameter, length),
/// "wulff:40:111=1,100=1.15", "cells:10,10,10". Throws Error.
///
/// A Wulff polyhedron has all facets of the named forms of a cubic crystal, at distances in proportion to
/// their surface energies (G. Wulff, Z. Kristallogr. 34, 449 (1901)); the facets with the least energy are
/// the given diameter apart.
Shape parseShape(const std::string& text);

/// The atoms of a crystal inside a shape whose centre is the first atom of the cell; a block of cells keeps a
/// lattice. Atoms on the surface (to 1e-6 angstrom) are inside. Throws Error for a structure without lattice,
/// a Wulff polyhedron of a cell that is not a cube along the axes, and for more than 2e8 atoms.
Structure cutShape(const Structure& cell, const Shape& shape);

/// The core of a shape: its surface `thickness` (angstrom) further inside. Throws Error for a block of cells,
/// and where nothing remains.
Shape coreOf(Shape shape, double thickness);

/// Makes a particle that cutShape gave one of core and shell: atoms outside the core become those of other
/// kinds, {"Pt": "Au"}. Throws Error for a kind that the particle does not have.
void replaceOutside(Structure& particle, const Shape& core, const std::map<std::string, std::string>& kinds);

}  // namespace prophet

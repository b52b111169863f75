#pragma once
// Atoms of files of macromolecules (PDB, mmCIF), which may have several places or stand at theirs in part.
#include <Eigen/Core>
#include <string>
#include <vector>

#include "matter/structure/structure.hpp"

namespace prophet {

/// A line of an atom.
struct AtomLine {
  std::string kind;         ///< as kindName has it
  std::string name;         ///< for messages: "12 (CA)"
  std::string identity;     ///< the same of all places of an atom: its chain, residue and name
  std::string alternative;  ///< label of one of several places; empty where there is only one
  double occupancy = 1;
  Eigen::Vector3d position;
};

/// Adds whole atoms: those that have one place, and of alternative places, whose occupancies must add up to
/// 1, the first one, with a warning. Throws StructureError for atoms that are there in part only: which of
/// them are there must be decided first.
void addWholeAtoms(Structure& structure, const std::vector<AtomLine>& lines, const std::string& path);

/// Warns where a lattice has more symmetry than the atoms of the file: operations of macromolecules are not
/// applied.
void warnOfSymmetry(Structure& structure, const std::string& group, const std::string& path);

}  // namespace prophet

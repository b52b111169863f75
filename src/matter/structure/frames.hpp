#pragma once
#include <memory>
#include <optional>
#include <string>

#include "matter/structure/structure.hpp"

namespace prophet {

/// The frames of a file, one after the other.
class Frames {
 public:
  virtual ~Frames() = default;
  /// The next frame; none at the end. Throws StructureError.
  virtual std::optional<Structure> next() = 0;
};

/// Opens a file of atoms: .pdb and .ent (a model is a frame), .cif (the cell's content, periodic), and XYZ or
/// extended XYZ for every other ending. Throws StructureError.
std::unique_ptr<Frames> openFrames(const std::string& path);

/// Frames that are in memory.
std::unique_ptr<Frames> framesOf(std::vector<Structure> frames);

/// The first frame of a file. Throws StructureError, also for a file without any.
Structure readStructure(const std::string& path);

/// Whether this program was built with gemmi, which reads PDB and CIF.
bool hasGemmi();

/// All models of a PDB file; CRYST1 makes them periodic, if it is not the cell of 0 or 1 angstrom that stands
/// for none. Throws StructureError.
std::vector<Structure> readPdb(const std::string& path);

/// The content of the unit cell of a CIF file's first crystal, with its lattice. Symmetry by the operations
/// that the file writes, else by Hall symbol, name or number of the space group; a warning tells where there
/// is none (P 1) or the origin is left open. Throws StructureError, also for cells that are none, two sites
/// at one place and sites that are not fully occupied: which atoms are there must be decided first.
Structure readCif(const std::string& path);

}  // namespace prophet

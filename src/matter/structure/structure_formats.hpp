#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "matter/structure/structure.hpp"

namespace prophet {

/// A format of files of atoms. Its row stands at the end of the source that reads it.
struct StructureFormat {
  std::string name;                  ///< as help lists it
  std::vector<std::string> endings;  ///< of its files, in lower case
  bool hasBlocks;                    ///< whether a file may have several structures, of which one is named
  /// Opens a file, of which a format with blocks takes the one of this name (empty: the only one).
  std::function<std::unique_ptr<Frames>(const std::string& path, const std::string& block)> open;
};

StructureFormat cifFormat();
StructureFormat pdbFormat();
StructureFormat xyzFormat();

/// A row for each, in the order of help; files with other endings are of the first one.
inline constexpr StructureFormat (*kStructureFormats[])() = {xyzFormat, pdbFormat, cifFormat};

/// "XYZ, extended XYZ, PDB or CIF".
std::string structureFormatNames();

}  // namespace prophet

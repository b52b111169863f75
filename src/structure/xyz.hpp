#pragma once
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "structure/structure.hpp"

namespace prophet {

/// Reads an XYZ or extended XYZ file frame by frame, so that a trajectory of any length needs the memory of
/// one frame.
///
/// A frame is the number of atoms, a comment, and a line for each atom: name or charge number, x, y, z in
/// angstrom; what follows is ignored. A comment with Lattice="ax ay az bx by bz cx cy cz" makes the frame
/// periodic (unless pbc="F F F"), Properties=species:S:1:pos:R:3:charge:R:1... says where the columns are.
/// All functions throw StructureError with file and line.
class XyzReader {
 public:
  explicit XyzReader(const std::string& path);
  /// The next frame; none at the end of the file.
  std::optional<Structure> next();

 private:
  struct Columns {
    int species = 0, position = 1, charge = -1;
  };
  [[noreturn]] void fail(const std::string& what) const;
  bool readLine(std::string& line);
  std::optional<std::size_t> readCount();
  Columns readComment(const std::string& comment, Structure& frame) const;
  void readAtom(const std::string& line, const Columns& columns, Structure& frame) const;
  int numberOf(const std::string& name, Structure& frame) const;

  std::string path_;
  std::ifstream file_;
  long line_ = 0;
  mutable std::string lastName_;
  mutable int lastKind_ = -1;
};

/// The text of a frame as extended XYZ, with ten decimals.
std::string xyzText(const Structure& structure);

}  // namespace prophet

#pragma once
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "matter/structure/structure.hpp"

namespace prophet {

/// Reads an XYZ or extended XYZ file frame by frame, so that a trajectory of any length needs the memory of
/// one frame.
///
/// A frame is the number of atoms, a comment, and a line for each atom: name or charge number, x, y, z in
/// angstrom; what follows is ignored. A comment with Lattice="ax ay az bx by bz cx cy cz" makes the frame
/// periodic (unless pbc="F F F"), Properties=species:S:1:pos:R:3:charge:R:1... says where the columns are. A
/// comment that is not UTF-8 is read as Latin-1, with a warning. All functions throw StructureError with file
/// and line, also where reading fails.
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
  Columns readColumns(const std::string& properties) const;
  std::optional<Eigen::Matrix3d> readLattice(const std::optional<std::string>& text,
                                             const std::optional<std::string>& pbc) const;
  Columns readComment(const std::string& comment, Structure& frame) const;
  void readAtom(const std::string& line, const Columns& columns, Structure& frame) const;
  int numberOf(const std::string& name, Structure& frame) const;

  std::string path_;
  std::ifstream file_;
  long line_ = 0;
  mutable std::string lastName_;
  mutable int lastKind_ = -1;
};

/// A comment without its key=value pairs and quotation marks: what it says in words.
std::string wordsOfComment(const std::string& comment);

/// The text of a frame as extended XYZ, with ten decimals and a column of charges where there are some. Of
/// the title only the words: the keys of a file that it was read from may be false for this frame.
std::string xyzText(const Structure& structure);

}  // namespace prophet

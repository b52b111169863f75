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
/// angstrom; what follows is left out. A comment that has one of the keys Lattice, Properties and pbc is that
/// of extended XYZ, by the grammar of libAtoms (https://github.com/libAtoms/extxyz): key=value pairs, with
/// blanks around = or none, whose values are words, texts in quotation marks, or arrays in "", {} or [];
/// words without a value are flags. Any other comment is a text. Lattice (nine numbers, or rows of three)
/// makes the frame periodic unless pbc says F F F; Properties says where the columns are: species, pos, and
/// charges by the names charge, charges, initial_charge and initial_charges. A comment that is not UTF-8 is
/// read as Latin-1, with a warning. All functions throw StructureError with file and line: for what is left
/// over in a comment, for keys without a value, for a frame that is periodic along some directions only, for
/// lines that have other columns than Properties says, and also where reading fails.
class XyzReader {
 public:
  explicit XyzReader(const std::string& path);
  /// The next frame; none at the end of the file.
  std::optional<Structure> next();

 private:
  struct Columns {
    int species = 0, position = 1, charge = -1, number = -1, occupancy = -1;
    int all = 0;      ///< of a line; 0: at least those above
    double unit = 1;  ///< of coordinates, angstrom
  };
  [[noreturn]] void fail(const std::string& what) const;
  bool readLine(std::string& line);
  std::optional<std::size_t> readCount();
  Columns readColumns(const std::string& properties, Structure& frame) const;
  Columns readComment(const std::string& comment, Structure& frame) const;
  void readAtom(const std::string& line, const Columns& columns, Structure& frame) const;
  void requireOneStatement(const std::string& name, const std::string& number, bool charged, int kind,
                           const Structure& frame) const;
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

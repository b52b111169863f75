#pragma once
// Symmetry of crystals in CIF files, by the tables of gemmi.
#include <gemmi/cifdoc.hpp>
#include <gemmi/symmetry.hpp>
#include <gemmi/unitcell.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace prophet {

/// A data block of a CIF file, which knows where its values stand.
class CifBlock {
 public:
  /// `text`: the whole file.
  CifBlock(const gemmi::cif::Block& block, const std::string& path, const std::string& text)
      : block_(block), path_(path), text_(text) {}

  struct Value {
    std::string tag, text;  ///< both empty where the block has no value
    bool empty() const { return text.empty(); }
  };
  /// The first value that is neither . nor ? nor blank, of pairs or of the first rows of loops.
  Value value(std::initializer_list<const char*> tags) const;
  /// The values of a loop's column, or of a pair; none where there is no such tag.
  std::vector<std::string> column(const std::string& tag) const;
  bool has(const std::string& tag) const;
  /// The first value as it stands in the file.
  std::string raw(const std::string& tag) const;
  std::vector<std::string> tags() const;
  /// "data_NAME".
  std::string name() const { return "data_" + block_.name; }
  /// Throws StructureError: "PATH:LINE: error: what", of the line of the pair or loop that has the tag.
  [[noreturn]] void fail(const std::string& tag, const std::string& what) const;
  /// The same of the loop's first line that has this word.
  [[noreturn]] void failAt(const std::string& tag, const std::string& word, const std::string& what) const;
  const std::string& path() const { return path_; }

 private:
  const gemmi::cif::Block& block_;
  const std::string& path_;
  const std::string& text_;
};

/// The operations of a crystal, each once.
struct CifSymmetry {
  std::vector<gemmi::Op> operations;
  std::vector<std::string> warnings;
  /// The group with the other origin, where the file leaves open which one it means; `group` is the one
  /// taken.
  const gemmi::SpaceGroup* group = nullptr;
  const gemmi::SpaceGroup* other = nullptr;
};

/// The symmetry that a block states, by operations, Hall symbol, name, number and setting code of the space
/// group; where it states several of them they must agree. Without any: P 1, with a warning. Throws
/// StructureError for operations that are no group, names of no group, and statements that contradict each
/// other or the cell; both are named.
CifSymmetry symmetryOf(const CifBlock& block, const gemmi::UnitCell& cell);

}  // namespace prophet

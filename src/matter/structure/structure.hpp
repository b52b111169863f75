#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/error.hpp"

namespace prophet {

/// A file of atoms that cannot be used: "FILE:LINE: what is wrong".
class StructureError : public Error {
 public:
  using Error::Error;
};

/// Atoms in space; lengths in angstrom.
struct Structure {
  std::vector<std::string> kinds;  ///< "Co", "O2-", in order of their first atom
  std::vector<int> kind;           ///< of each atom: a number of `kinds`
  std::vector<Eigen::Vector3d> positions;
  std::optional<Eigen::Matrix3d> lattice;  ///< rows a, b, c where the atoms repeat in all three directions
  std::string title;
  std::vector<double> charges;  ///< of each atom, e, where the file has a column `charge`; else empty
  /// What a reader took for granted or changed, a sentence each: for the user to see.
  std::vector<std::string> warnings;

  std::size_t size() const { return positions.size(); }
  /// Number of the kind of this name, which is made where there is none.
  int kindNumber(std::string_view name);
  void add(int kindNumber, const Eigen::Vector3d& position);
  /// Atoms of each kind.
  std::vector<std::size_t> counts() const;
};

/// Coordinates and vectors of lattices reach so far, angstrom (10 cm): beyond, they are errors of a file, and
/// differences of them lose the digits that distances need.
inline constexpr double kFarthest = 1e9;

/// Whether all coordinates are numbers up to kFarthest.
bool isPlace(const Eigen::Vector3d& position);

/// Adds the sentences that are not yet in the list.
void addWarnings(std::vector<std::string>& list, const std::vector<std::string>& more);

/// What to tell of a D or T, which are read as H; empty for other names.
std::string isotopeWarning(std::string_view name);

/// Atoms from names and coordinates. Throws Error where they are not equally many, a name is no atom or ion
/// (parseSpecies) or a position is none (isPlace).
Structure makeStructure(const std::vector<std::string>& names, const std::vector<Eigen::Vector3d>& positions,
                        const std::optional<Eigen::Matrix3d>& lattice);

/// The usual spelling of an atom's or ion's name in a file of atoms: "CO" and "co" are "Co", "O2-" stays.
/// Isotope labels D and T are H. Throws Error for what is no atom.
std::string kindName(std::string_view text);

/// Throws Error for a lattice of no volume, or with numbers that are not finite or beyond kFarthest.
void requireLattice(const Eigen::Matrix3d& lattice);

/// Volume of the cell, angstrom^3.
double cellVolume(const Eigen::Matrix3d& lattice);

/// Distances between opposite faces of the cell.
Eigen::Vector3d cellWidths(const Eigen::Matrix3d& lattice);

/// Centre of the box around all atoms, and the largest distance of an atom from it: no pair is farther apart
/// than twice that.
struct Extent {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< of the box
  double radius = 0;
};
Extent extentOf(const std::vector<Eigen::Vector3d>& positions);

}  // namespace prophet

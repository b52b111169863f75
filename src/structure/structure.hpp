#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.hpp"

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
  /// Of each atom, e, where the file has a column `charge`; else empty. What takes away atoms drops it.
  std::vector<double> charges;

  std::size_t size() const { return positions.size(); }
  /// Number of the kind of this name, which is made where there is none.
  int kindNumber(std::string_view name);
  void add(int kindNumber, const Eigen::Vector3d& position);
  /// Atoms of each kind.
  std::vector<std::size_t> counts() const;
};

/// Atoms from names and coordinates. Throws Error where they are not equally many, a name is no atom or ion
/// (parseSpecies) or a coordinate is not finite.
Structure makeStructure(const std::vector<std::string>& names, const std::vector<Eigen::Vector3d>& positions,
                        const std::optional<Eigen::Matrix3d>& lattice);

/// The usual spelling of an atom's or ion's name in a file of atoms: "CO" and "co" are "Co", "O2-" stays.
/// Isotope labels D and T are H. Throws Error for what is no atom.
std::string kindName(std::string_view text);

/// Throws Error for a lattice of no volume or with numbers that are not finite.
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

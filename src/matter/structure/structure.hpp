#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/error.hpp"

namespace prophet {

/// What atoms in space are told apart by: element, isotope and charge.
struct AtomKind {
  int z = 0;
  int massNumber = 0;  ///< of an isotope; 0: the natural mixture
  double charge = 0;   ///< e; means over a crystal need not be whole: Fe2.5+

  double electrons() const { return z - charge; }
};

/// Reads an element ("Fe", "FE", "26"), with its charge in the spellings of files of atoms ("Fe3+", "Fe+3",
/// "Fe(3+)", "Fe+++", "Fe2.5+", "Cl-", "Cu0+"; "H1+" has no electrons), with the mass number of an isotope
/// before it ("6Li", "58Ni2+"); D and T are isotopes of hydrogen. Throws Error, with what was expected.
AtomKind atomKind(std::string_view text);

/// The usual spelling: "Fe", "Fe3+", "Cl-", "D", "6Li+".
std::string nameOf(const AtomKind& kind);

/// The usual spelling of a kind's name in a file of atoms: "CO" and "co" are "Co", "O2-" stays, "Fe+3" is
/// "Fe3+", "2H" is "D". Throws Error for what is no atom.
std::string kindName(std::string_view text);

/// A file of atoms that cannot be used: "FILE:LINE: what is wrong".
class StructureError : public Error {
 public:
  using Error::Error;
};

/// Stands in Structure::otherColumns for words behind the coordinates of plain XYZ, which have no names.
constexpr const char* kBehindPlace = "what follows x, y, z";

/// Atoms in space; lengths in angstrom.
struct Structure {
  std::vector<std::string> kinds;  ///< "Co", "O2-", "D" (kindName), in order of their first atom
  std::vector<int> kind;           ///< of each atom: a number of `kinds`
  std::vector<Eigen::Vector3d> positions;
  std::optional<Eigen::Matrix3d> lattice;  ///< rows a, b, c where the atoms repeat in all three directions
  std::string title;
  std::vector<double> charges;  ///< of each atom, e, where the file has a column of charges; else empty
  /// What a reader of the file has left out of the lines of atoms, and charges that the comment states:
  /// "forces:R:3", kBehindPlace.
  std::vector<std::string> otherColumns{};
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

/// The first of what was left out whose name speaks of charges, or that has no name and may be charges; empty
/// where none does.
std::string columnLikeCharges(const Structure& structure);

/// Atoms from names and coordinates. Throws Error where they are not equally many, a name is no atom or ion
/// (kindName) or a position is none (isPlace).
Structure makeStructure(const std::vector<std::string>& names, const std::vector<Eigen::Vector3d>& positions,
                        const std::optional<Eigen::Matrix3d>& lattice);

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

/// The frames of a file, one after the other.
class Frames {
 public:
  virtual ~Frames() = default;
  /// The next frame; none at the end. Throws StructureError.
  virtual std::optional<Structure> next() = 0;
};

/// Opens a file of atoms in the format of its ending (kStructureFormats): of PDB a model is a frame; CIF is
/// the content of the cell, periodic, and of macromolecules the models; every other ending is XYZ. `block`:
/// as readCif has it. Throws StructureError, also for a block of a file that has none.
std::unique_ptr<Frames> openFrames(const std::string& path, const std::string& block = "");

/// Frames that are in memory.
std::unique_ptr<Frames> framesOf(std::vector<Structure> frames);

/// The first frame of a file, with a warning where others follow. Throws StructureError, also for a file
/// without any.
Structure readStructure(const std::string& path, const std::string& block = "");

/// Whether this program was built with gemmi, which reads PDB and CIF.
bool hasGemmi();

/// All models of a PDB file; CRYST1 makes those behind it periodic, if it is not the cell of 0 or 1 angstrom
/// with angles of 0 or 90 degrees that stands for none. Throws StructureError, also for any other cell that
/// is none, a charge or an occupancy that is none, atoms behind END and atoms that are there in part.
std::vector<Structure> readPdb(const std::string& path);

/// The content of the unit cell of the data block of a CIF file that has sites, with its lattice; `block` is
/// the block's name (with or without data_) where several have. Charges are those of the type symbols or of
/// the oxidation numbers of the atom types, and of a column _atom_site_charge. Symmetry by the operations
/// that the file writes, else by Hall symbol, name, number and setting code of the space group; a warning
/// tells where there is none (P 1) or the origin is left open. Throws StructureError, also for statements
/// that contradict each other, cells that are none, two sites at one place and sites that are not fully
/// occupied: which atoms are there must be decided first. Of sites with Cartesian coordinates alone (mmCIF):
/// the models, without symmetry, and open where there is no cell.
std::vector<Structure> readCif(const std::string& path, const std::string& block = "");

/// Takes away each atom (of the kind of this name; empty: of any) with this probability. The same seed takes
/// the same atoms on every machine. Throws Error for a fraction outside [0, 1), an unknown kind, or where
/// nothing is left.
void removeAtoms(Structure& structure, double fraction, const std::string& kind, std::uint64_t seed);

/// Multiplies positions and lattice by 1 + strain along x, y and z. Throws Error for a strain of -1 or below,
/// or above 9.
void strain(Structure& structure, const Eigen::Vector3d& strains);

/// Moves every atom by a Gaussian random vector whose components have this standard deviation, angstrom; that
/// of the Debye-Waller factor exp(-B s^2) with B = 8 pi^2 sigma^2. Throws Error for a negative one, or above
/// 1e4 angstrom.
void displace(Structure& structure, double sigma, std::uint64_t seed);

/// Whether these lattice vectors (rows) are the edges of a cube along x, y and z, to 1e-4 of its edge.
bool isCubeAlongAxes(const Eigen::Matrix3d& lattice);

/// The edge of a face-centred cubic cell along x, y and z, angstrom. Throws Error for any other cell.
double faceCentredEdge(const Structure& cell);

/// Deformation faults (B. E. Warren, X-Ray Diffraction, Addison-Wesley 1969, chapter 13) of a particle cut
/// from a face-centred cubic crystal with its lattice points at the origin: from each (111) plane on, with
/// this probability, all layers above are shifted by edge/6 [11-2] or what is the same in the plane, so that
/// every layer stays in hollows of the one below. No layer moves by more than edge/sqrt(6). Throws Error for
/// a probability outside [0, 1], and for a structure with a lattice.
void addStackingFaults(Structure& particle, double edge, double probability, std::uint64_t seed);

/// N atoms of one kind at random places of a cubic box of this edge, angstrom: an ideal gas.
Structure idealGas(const std::string& kind, std::size_t count, double edge, std::uint64_t seed);

}  // namespace prophet

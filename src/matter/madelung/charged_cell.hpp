#pragma once
#include <Eigen/Core>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "matter/structure/structure.hpp"

namespace prophet {

/// Point charges that a cell repeats in space. Atomic units: bohr, charges in units of e.
struct ChargedCell {
  Eigen::Matrix3d vectors;     ///< its columns are a, b, c
  Eigen::Matrix3Xd positions;  ///< Cartesian, one column a site, anywhere
  Eigen::VectorXd charges;

  Eigen::Index sites() const { return charges.size(); }
  double volume() const;
  /// Positions in units of the vectors, in [0, 1).
  Eigen::Matrix3Xd fractional() const;
};

/// What sums over a lattice of charges give, atomic units (hartree, bohr, e). Energies are those of one cell.
struct Electrostatics {
  double energy = 0;
  Eigen::VectorXd potentials;                        ///< at each site, of all other charges
  Eigen::Matrix3Xd fields;                           ///< - gradient of the potential at each site
  Eigen::Matrix3d virial = Eigen::Matrix3d::Zero();  ///< - dE/d(strain); its trace is the energy
  std::optional<double> nearest{};  ///< smallest distance of two sites, where the sum found it

  /// Charges times fields.
  Eigen::Matrix3Xd forces(const Eigen::VectorXd& charges) const;
  /// - dE/dV of a uniform expansion, hartree/bohr^3.
  double pressure(double volume) const { return virial.trace() / (3 * volume); }
};

/// What the sums do about cells that are not neutral.
enum class NetCharge {
  Refused,
  Background  ///< made up for by a uniform charge
};

/// Sites closer than this are taken for one site given twice, bohr.
inline constexpr double kOverlap = 0.2;

/// Whether the net charge is below 1e-6 of the sum of the charges' absolute values.
bool isNeutral(const ChargedCell& cell);

/// Throws Error, saying what to do, for: no sites; numbers that are none; a cell without volume or flatter
/// than 1 to 10^4; two sites closer than kOverlap; a cell that is not neutral, if that is Refused.
void check(const ChargedCell& cell, NetCharge netCharge);
/// The same but for the distances, and these alone: searched for, or found by a sum over the pairs on the
/// way.
void checkCharges(const ChargedCell& cell, NetCharge netCharge);
void checkDistances(const ChargedCell& cell);
void checkNearest(double nearest);

/// Smallest distance between two sites, images included, bohr.
double nearestDistance(const ChargedCell& cell);

/// Where the charges of a structure come from.
struct ChargeSource {
  enum class Kind {
    Automatic,  ///< the column, if there is one, else oxidation states
    Given,      ///< by name
    Column,     ///< `charge` of extended XYZ
    Oxidation   ///< the names of the ions: Na+, O2-
  };
  Kind kind = Kind::Automatic;
  std::map<std::string, double> given;  ///< by the kind's name or its element, e
};

/// "Na=1,Cl=-1", "column", "oxidation". Throws Error.
ChargeSource parseChargeSource(const std::string& text);

/// A charged cell with the names of its sites: "Na1", "Na2", "Cl1".
struct ChargedStructure {
  ChargedCell cell;
  std::vector<std::string> kinds, labels;

  /// Number of the site with this label, or of the first one of this kind or element. Throws Error, which
  /// lists the labels.
  Eigen::Index site(const std::string& label) const;
};

/// Throws Error for a structure without lattice, and where the source has no charge for an atom.
ChargedStructure chargedStructure(const Structure& structure, const ChargeSource& source);

/// Distances between opposite faces of a cell.
Eigen::Vector3d cellHeights(const Eigen::Matrix3d& vectors);

/// How a search for the pairs within a cutoff divides a cell.
struct CellBins {
  /// Throws Error where the cutoff spans too many cells.
  CellBins(const Eigen::Matrix3d& vectors, Eigen::Index sites, double cutoff);

  std::array<int, 3> along;  ///< bins along each vector, no more of them in all than sites
  std::array<int, 3> range;  ///< how many on either side of one lie within the cutoff
};

/// Pairs of sites within a cutoff, periodic images included, found by bins of the cell ("cell lists"): any
/// cell, any cutoff, also one beyond the cell's size.
class NeighbourSearch {
 public:
  NeighbourSearch(const ChargedCell& cell, double cutoff);

  int bins() const { return bins_[0] * bins_[1] * bins_[2]; }
  // The first site of each bin (and their number); the sites' numbers and places in the order of the bins.
  const std::vector<std::size_t>& start() const { return start_; }
  const std::vector<Eigen::Index>& sites() const { return sites_; }
  const Eigen::Matrix3Xd& positions() const { return positions_; }

  /// Sites of neighbouring bins that lie one after the other in positions(), all of one image of the cell.
  struct Run {
    std::size_t begin, end;
    Eigen::Vector3d shift;  ///< of the image, to be added to the positions
    bool home;              ///< the cell itself
  };
  /// All sites of the bins that lie within the cutoff of a bin, itself included; what was in `runs` goes.
  void runsAround(int bin, std::vector<Run>& runs) const;

 private:
  Eigen::Matrix3d vectors_;
  std::array<int, 3> bins_, range_;
  std::vector<std::size_t> start_;
  std::vector<Eigen::Index> sites_;
  Eigen::Matrix3Xd positions_;  ///< in the cell, in the order of sites_
};

}  // namespace prophet

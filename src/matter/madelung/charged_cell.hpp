#pragma once
#include <Eigen/Core>

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

/// Throws Error, saying what to do, for: no sites; numbers that are none; a cell without volume or flatter
/// than 1 to 10^4; two sites closer than kOverlap; a net charge above 1e-6 of the sum of the charges'
/// absolute values, if that is Refused.
void check(const ChargedCell& cell, NetCharge netCharge);

/// Smallest distance between two sites, images included, bohr.
double nearestDistance(const ChargedCell& cell);

}  // namespace prophet

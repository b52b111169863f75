#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/radial_grid.hpp"

namespace prophet {

/// Spacing in ln r with which an attraction without closed form is integrated to rounding: the density of a
/// Fermi nucleus has poles at r = c +- i pi a, an angle of atan(pi a / c) (0.2 or more) off the real axis.
inline constexpr double kNuclearSpacing = 0.03;

/// One-electron matrices of one symmetry over its n normalised primitives (atomic units; n x n unless said).
struct OneElectronMatrices {
  Eigen::MatrixXd overlapLarge, overlapSmall;
  Eigen::MatrixXd nuclearLarge, nuclearSmall;  ///< <P|V|P>, <Q|V|Q>
  /// n: (d/dr + kappa/r) P_p = balance_p Q_p, the ratio N_p/N'_p of the normalisations, so that the kinetic
  /// block is <Q_q|c (d/dr + kappa/r)|P_p> = c overlapSmall(q,p) balance_p.
  Eigen::VectorXd balance;
};

/// OneElectronMatrices::balance of a basis.
Eigen::VectorXd balanceOf(const SymmetryBasis& basis);

/// The matrices of every symmetry: closed forms for point and Gaussian nuclei, incomplete gamma functions for
/// the sphere, quadrature to rounding where there is no closed form (docs/theory/dirac-hartree-fock.md,
/// "One-electron matrices").
std::vector<OneElectronMatrices> oneElectronMatrices(const BasisSet& basis, const Nucleus& nucleus);

/// Overlaps between the primitives of two bases of one symmetry (rows: `rows`, columns: `columns`).
struct OverlapBlocks {
  Eigen::MatrixXd large, small;
};
OverlapBlocks overlapBetween(const SymmetryBasis& rows, const SymmetryBasis& columns);

/// Matrices <P|r^power|P> (LL) and <Q|r^power|Q> (SS), bohr^power, power >= -1; LS stays empty.
std::vector<BlockMatrix> radialMomentMatrices(const BasisSet& basis, int power);

/// Matrix elements of one symmetry between the derivative of normalised primitive p with respect to ln zeta_p
/// (rows) and primitive q (columns), n x n each, not symmetric: the derivative of the element (p, q) with
/// respect to ln zeta_p.
struct ExponentDerivatives {
  Eigen::MatrixXd overlapLarge, overlapSmall;  ///< <dP_p|P_q>, <dQ_p|Q_q>
  Eigen::MatrixXd nuclearLarge, nuclearSmall;  ///< <dP_p|V|P_q>, <dQ_p|V|Q_q>, hartree
};

/// As exact as oneElectronMatrices, in the same ways for every nuclear model.
ExponentDerivatives exponentDerivatives(const SymmetryBasis& basis, const Nucleus& nucleus);

}  // namespace prophet

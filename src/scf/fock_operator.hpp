#pragma once
#include <Eigen/Core>

#include "atom/configuration.hpp"
#include "scf/symmetry_space.hpp"

namespace prophet {

/// Occupied coefficients of one symmetry in the orthonormal basis (columns; closed first, the open one last).
struct SpaceOrbitals {
  Eigen::MatrixXd coefficients;
  Eigen::VectorXd energies;
};

/// Scratch of one symmetry, kept between iterations.
struct FockScratch {
  Eigen::MatrixXd work, closedFock, open;
};

/// Fock matrix of one symmetry that has closed and open spinors as eigenvectors at convergence, and the
/// energy gradient with respect to orbital rotations, both in the orthonormal basis.
///
/// `p`, `q`: FockBuilder's blocks (q is read only if the symmetry has an open spinor). With F_C = h + P, F_O
/// = F_C - Q, projectors on closed, open (c, o) and all other (v) spinors, degeneracy g and open occupation
/// n:
///   effective: cc, vv, cv from F_C; oo, ov from F_O; co (g F_C - n F_O)/(g - n);
///   gradient = M - M^T, M = g P_c F_C + n P_o F_O.
/// physics: sections 6 and 7.
void effectiveFock(const SymmetrySpace& space, const SymmetryOccupation& occupation, double degeneracy,
                   const BlockMatrix& p, const BlockMatrix& q, const SpaceOrbitals& orbitals,
                   FockScratch& scratch, Eigen::MatrixXd& effective, Eigen::MatrixXd& gradient);

}  // namespace prophet

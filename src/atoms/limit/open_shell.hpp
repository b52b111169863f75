#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/configuration.hpp"

namespace prophet::limit {

/// Makes one matrix whose eigenvectors are all spinors of a symmetry, closed, open and virtual.
///
/// Spinor i has the Fock operator F_i = F_C - Q_i (Q_i = 0 for closed spinors). In the current spinors:
/// diagonal elements <i|F_i|i>; elements with virtuals <v|F_i|i>; elements between two closed spinors from
/// F_C; between spinors of unlike operators, where orthogonality needs a Lagrange multiplier, the energy's
/// derivative <i|n_i F_i - n_j F_j|j>, divided by n_i - n_j, or for about equal occupations scaled to a
/// Newton step; the virtual block from F_C, or with empty places among the occupied spinors from the operator
/// of the highest open spinor, so that the n-th eigenvector is the state with the n-th number of nodes. The
/// difference from F_C has low rank and is added to its two-electron part.
///
/// \param occupation of the symmetry
/// \param reductions Q_i of the open spinors, in order
/// \param responses Fields::responses of the symmetry
/// \param overlap of the symmetry's functions
/// \param spinors columns, one for each entry of occupation.spinors
/// \param inside <i|F_C|j> over the spinors
/// \param fock the two-electron part of F_C, changed in place
void addOpenShells(const SymmetryOccupation& occupation, const std::vector<Eigen::MatrixXd>& reductions,
                   const Eigen::MatrixXd& responses, const Eigen::MatrixXd& overlap,
                   const Eigen::MatrixXd& spinors, const Eigen::MatrixXd& inside, Eigen::MatrixXd& fock);

}  // namespace prophet::limit

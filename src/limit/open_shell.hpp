#pragma once
#include <Eigen/Core>

namespace prophet::limit {

/// One effective Fock matrix whose eigenvectors are the closed, open and virtual spinors of a symmetry.
///
/// In the current spinors: closed and virtual blocks from F_C, the open diagonal and open-virtual elements
/// from F_O = F_C - defect, closed-open elements (g F_C - n F_O)/(g - n). Written as F_C plus matrices of rank
/// two, so that the large elements of F_C suffer no cancellation.
/// \param spinors columns: closed ones, the open one last
/// \param degeneracy g, \param openElectrons n of the open spinor, 0 < n < g
Eigen::MatrixXd effectiveFock(const Eigen::MatrixXd& closedFock, const Eigen::MatrixXd& defect,
                              const Eigen::MatrixXd& overlap, const Eigen::MatrixXd& spinors,
                              double degeneracy, double openElectrons);

}  // namespace prophet::limit

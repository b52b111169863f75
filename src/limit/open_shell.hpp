#pragma once
#include <Eigen/Core>

namespace prophet::limit {

/// Makes one matrix whose eigenvectors are the closed, open and virtual spinors of a symmetry.
///
/// In the current spinors: closed and virtual blocks from F_C, the open diagonal and open-virtual elements
/// from F_O = F_C - defect, closed-open elements (g F_C - n F_O)/(g - n). The difference from F_C has rank
/// two and is added to `fock`, which holds F_C or its two-electron part. \param spinors columns: closed ones,
/// the open one last \param degeneracy g, \param openElectrons n of the open spinor, 0 < n < g
void addOpenShell(const Eigen::MatrixXd& defect, const Eigen::MatrixXd& overlap,
                  const Eigen::MatrixXd& spinors, double degeneracy, double openElectrons,
                  Eigen::MatrixXd& fock);

}  // namespace prophet::limit

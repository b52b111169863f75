#pragma once
#include <Eigen/Core>

namespace prophet {

/// Eigenvalues number `first` .. `first + count - 1` (from 0, ascending) of a Fock matrix and their vectors
/// (a column each). The eigenvalues are the vectors' Rayleigh quotients: a solver's own are good to the
/// rounding of the matrix's largest element, which with tight functions is more than what two good bases
/// differ by. Throws Error as EigenSolver does.
void occupiedSolutions(const Eigen::MatrixXd& fock, int first, int count, Eigen::VectorXd& energies,
                       Eigen::MatrixXd& vectors);

}  // namespace prophet

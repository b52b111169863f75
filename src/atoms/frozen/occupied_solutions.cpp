#include "atoms/frozen/occupied_solutions.hpp"

#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {

void occupiedSolutions(const Eigen::MatrixXd& fock, int first, int count, Eigen::VectorXd& energies,
                       Eigen::MatrixXd& vectors) {
  Eigen::MatrixXd destroyed = fock;
  EigenSolver().solve(destroyed, first, count, energies, vectors);
  energies = vectors.cwiseProduct(multiply(fock, false, vectors, false)).colwise().sum().transpose();
}

}  // namespace prophet

#pragma once
#include <Eigen/Core>

#include "atoms/configurations/determinant_space.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// The Hamiltonian between the coupled states of a block, C^T H C, applied factor by factor: C and the upper
/// triangle of H between determinants are sparse, their product is much less so.
class CoupledHamiltonian {
 public:
  /// `upper`: of H, hartree. Both must stay as long.
  CoupledHamiltonian(const LevelBlock& block, const SparseMatrix& upper);

  Eigen::Index rows() const { return block_.size(); }
  const Eigen::VectorXd& diagonal() const { return diagonal_; }
  Eigen::MatrixXd operator*(const Eigen::Ref<const Eigen::MatrixXd>& vectors) const;
  /// Between the first `count` coupled states.
  Eigen::MatrixXd leading(Eigen::Index count) const;

 private:
  const LevelBlock& block_;
  const SparseMatrix& upper_;
  Eigen::VectorXd diagonal_;
};

struct LowestStates {
  Eigen::VectorXd values;   ///< ascending, hartree
  Eigen::MatrixXd vectors;  ///< coupled states x values
};

/// The lowest `count` states by Davidson's method (E. R. Davidson, J. Comput. Phys. 17 (1975) 87; Spectra),
/// starting from the eigenvectors of the first `references` coupled states and of those with the lowest
/// diagonal elements; residuals below 1e-9 hartree. Throws Error where they do not become that small.
LowestStates lowestStates(const CoupledHamiltonian& hamiltonian, Eigen::Index count, Eigen::Index references,
                          const Checkpoint& checkpoint = {});

}  // namespace prophet

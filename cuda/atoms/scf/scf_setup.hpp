#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/basis/basis_set.hpp"
#include "cuda/atoms/scf/scf_kernels.hpp"

namespace prophet::cuda {

/// What basis and configuration say about a calculation.
struct ScfSetup {
  ScfShape shape;
  std::vector<SymmetryData> symmetries;  ///< `large` and `small` as if no function were dependent
  std::vector<Eigen::VectorXd> occupations;
  std::vector<bool> open;
  std::vector<std::vector<SpinorOccupation>> places;
  Eigen::MatrixXd reduction;
  bool anyOpen() const;
};

/// Same checks as prophet::runScf. Throws Error as it does.
ScfSetup makeScfSetup(const BasisSet& basis, const Configuration& configuration);

/// Throws Error where a symmetry has more occupied spinors than independent functions.
void requireEnoughFunctions(const ScfSetup& setup, const BasisSet& basis);

}  // namespace prophet::cuda

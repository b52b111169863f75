#pragma once
#include <vector>

#include "cuda/common/handles.hpp"
#include "cuda/scf/scf_kernels.hpp"
#include "scf/scf.hpp"
#include "scf/symmetry_space.hpp"

namespace prophet::cuda {

/// Everything that is known before the first iteration, prepared once on the host while the device computes
/// the two-electron integrals.
struct ScfSetup {
  ScfShape shape;
  std::vector<SymmetryData> symmetries;
  std::vector<SymmetrySpace> spaces;
  std::vector<Eigen::VectorXd> occupations;
  std::vector<bool> open;
  std::vector<std::vector<SpinorOccupation>> places;
  Eigen::MatrixXd reduction;
  std::vector<Eigen::MatrixXd> guess;  ///< Fock matrices of the first eigenproblem, orthonormal basis
  bool anyOpen() const;
};

/// Same checks, orthonormalisation and guess as prophet::runScf. Throws Error as it does.
ScfSetup makeScfSetup(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                      double c, const ScfOptions& options, const Stream& stream);

}  // namespace prophet::cuda

#pragma once
#include <Eigen/Core>
#include <string>

#include "atoms/calculation/result.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Density and radial functions of a result as comma-separated values (docs/orbitals.md): lines that begin
/// with # say what was computed, then the columns r, density, P_<spinor>, Q_<spinor>. Numbers read back to
/// the same bits. `radii` >= 0, bohr. Throws Error if the result has no wavefunction.
std::string orbitalTable(const std::string& version, const ResolvedJob& job, const Result& result,
                         const Eigen::VectorXd& radii);

}  // namespace prophet

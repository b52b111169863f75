#pragma once
#include <Eigen/Core>
#include <string>

#include "atoms/calculation/result.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Radii of --orbital-grid: "START:STOP:COUNT", logarithmic, or a file with a radius on each line (bohr;
/// blank lines and those that begin with # are left out; of several columns the first counts). Throws
/// UsageError.
Eigen::VectorXd parseOrbitalGrid(const std::string& text);

/// The text of --orbitals FILE, on the default radii where `radii` is empty. Throws Error, which names the
/// file, where the result has no spinors.
std::string orbitalsText(const std::string& file, const ResolvedJob& job, const Result& result,
                         const Eigen::VectorXd& radii);

}  // namespace prophet

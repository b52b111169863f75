#pragma once
#include "atoms/subshells/subshell_functions.hpp"

namespace prophet {

/// Compton profiles J(p) of one electron of each spinor (columns) at momenta p (rows, 1/bohr, 0 to
/// kLargestSubshellMomentum), in the impulse approximation: J(p) = 1/2 integral from |p| of (g^2 + f^2) p dp,
/// whose integral over all p, of both signs, is 1. Accumulated from large momenta, so that it has as many
/// digits there. Throws Error for other momenta.
Eigen::MatrixXd comptonProfiles(const SubshellFunctions& functions, const Eigen::VectorXd& p);

/// The momenta of the tables of Biggs, Mendelsohn and Mann (1975), 31 from 0 to 100 1/bohr.
Eigen::VectorXd biggsMomenta();

}  // namespace prophet

#pragma once
#include <string>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

/// Texts of one line that differ wherever two problems do, for the titles of state files: every parameter
/// with its shortest exact digits, the same in every locale.

/// Model and parameters of the nucleus; closed and open spinors, average occupations and pair weights (what a
/// list of configurations comes to) of every symmetry; everything in the Hamiltonian.
std::string fingerprint(const AtomProblem& problem);

/// Everything that decides what an SCF gives, or whether it gives anything.
std::string fingerprint(const ScfOptions& scf);

}  // namespace prophet

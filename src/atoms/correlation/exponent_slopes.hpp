#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/second_order_slopes.hpp"

namespace prophet {

/// dE/d ln zeta of functions at the places `moving` of a symmetry's block, hartree, from the slopes of the
/// virtual spinors: how these follow the functions, which stay normalised and in kinetic balance, with the
/// occupied spinors as they are (none of them may hold a moving function) and those of negative energy left
/// out. `radii`: of the mesh. For four components without near-dependent functions. Formula:
/// docs/theory/correlation.md.
Eigen::VectorXd exponentSlopes(const SolvedFunctions& functions, const SymmetrySlopes& slopes,
                               const std::vector<int>& moving, const AtomProblem& problem,
                               const Eigen::VectorXd& radii);

}  // namespace prophet

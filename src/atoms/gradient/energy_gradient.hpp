#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

/// dE/d ln zeta of every function, hartree: an entry for each symmetry of the basis, in the order of its
/// exponents; zero for symmetries without electrons.
using ExponentGradient = std::vector<Eigen::VectorXd>;

/// Derivative of the SCF energy with respect to the logarithm of every exponent
/// (docs/theory/dirac-hartree-fock.md, "Gradient of the energy"): at convergence the coefficients' change
/// does not count, and
///   dE/d ln zeta_p = 2 sum_i <d psi_i/d ln zeta_p | n_i F_i psi_i - sum_j lambda_ij psi_j>,
/// both components, where F_i is the Fock operator that spinor i feels and lambda_ij = n_i <j|F_i|i> keeps
/// the spinors orthonormal. One-electron parts in closed form as the energy's, two-electron parts (Breit with
/// the builder's kernels) on the builder's grid, whose share costs what a Fock matrix does.
///
/// `scf`: the converged result of runScf(problem, builder, ...), whose orbital gradient enters the error of
/// this one in first order: tightThresholds. Throws Error where the problem has additional one-electron
/// operators (problem.extra), or the result is not of this basis.
ExponentGradient energyGradient(const ScfProblem& problem, const ScfResult& scf, GridFockBuilder& builder);

/// Thresholds with which gradients have seven digits: an energy is stationary in the spinors, a gradient is
/// not.
ScfOptions tightThresholds();

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <string>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// The screening of a nucleus in a neutral atom, S(r) = r (v_Coulomb + v_xc), which rises from 0 to Z, as
///   S(r) = sum_k c_k erf(sqrt(alpha_k) r), sum_k c_k = Z,
/// the potentials of Gaussian charges: a term of a superposition of atomic potentials (S. Lehtola, L.
/// Visscher, E. Engel, J. Chem. Phys. 152, 144105 (2020)).
struct ScreeningFit {
  Eigen::VectorXd exponents;                    ///< alpha, bohr^-2, descending
  Eigen::VectorXd coefficients;                 ///< c, elementary charges
  double largestError = 0, largestErrorAt = 0;  ///< of S, elementary charges, and its radius, bohr
  double rmsError = 0;            ///< of S, evenly over ln r from 1e-6 bohr to where the atom ends
  double largestEnergyError = 0;  ///< of an occupied spinor's energy, hartree, in first order; with its sign
  std::string spinor;             ///< whose
};

/// Fits by least squares over ln r with exponents 0.005 `ratio`^k bohr^-2, which all elements share, up to 40
/// Z^2; those at both ends that lower the rms error by less than 1 % are left out. `ratio` > 1.
/// The functional is that of `problem`; the result may be of another field, as of Hartree-Fock. Throws Error
/// if there is no wavefunction, no functional or a share of exact exchange, or if the atom is an ion.
ScreeningFit fitScreening(const AtomProblem& problem, const Result& result, double ratio);

}  // namespace prophet

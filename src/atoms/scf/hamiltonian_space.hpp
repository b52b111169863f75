#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/scf/symmetry_space.hpp"
#include "core/common/thread_pool.hpp"

namespace prophet {

/// The one-electron matrices of every symmetry in an orthonormal basis of its functions, contracted ones
/// where the set has them. Two-component and non-relativistic Hamiltonians have no small functions
/// (smallSize() is 0); they are made from all primitives and then contracted. `c`: speed of light, atomic
/// units (without effect on Nonrelativistic). `threshold`: see orthonormalise. Throws Error if the
/// contraction of a symmetry does not fit its primitives or holds a function that is zero.
std::vector<SymmetrySpace> hamiltonianSpaces(const BasisSet& basis, const Nucleus& nucleus,
                                             OneElectronOperator kind, double c, double threshold,
                                             ThreadPool& pool);

/// The positive-energy half of a Dirac operator, decoupled exactly (X2C, one step): with X = C_S C_L^-1 of
/// its positive-energy solutions and R = (1 + X^T X)^(-1/2), both in the orthonormal basis, the Hamiltonian
/// is R [V + K^T X + X^T K + X^T (W - 2c^2) X] R, K the kinetic block, V and W the attraction between large
/// and between small functions. Its eigenvalues are the positive ones of `dirac`. `nuclear` and `momentum`
/// are the operators V and c alpha.p in the same picture. W. Kutzelnigg and W. Liu, J. Chem. Phys. 123,
/// 241102 (2005); normalisation: W. Liu and D. Peng, J. Chem. Phys. 131, 031104 (2009).
SymmetrySpace decoupled(const SymmetrySpace& dirac, double c);

/// p^2/2 + V of the large functions of a Dirac operator with this c.
SymmetrySpace withoutRelativity(const SymmetrySpace& dirac, double c);

/// The space of contracted functions within that of their primitives: `contraction` has a column for each
/// over the primitives; small functions, if the space has any, by restricted kinetic balance of the same
/// ones.
SymmetrySpace contracted(const SymmetrySpace& primitive, const Eigen::MatrixXd& contraction,
                         const Eigen::VectorXd& balance, double c, double threshold);

}  // namespace prophet

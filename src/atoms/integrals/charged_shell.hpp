#pragma once
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/block_matrix.hpp"

namespace prophet {

/// integral r^n exp(-p r^2) / max(r, radius) dr for even n >= 2, as two incomplete gamma functions.
double shellAttraction(double radius, int n, double p);

/// Matrices <P|V|P> and <Q|V|Q> (blocks LL and SS; LS stays empty) of a charged shell, hartree, in closed
/// form: the potential has an edge, at which quadratures lose their digits.
std::vector<BlockMatrix> shellMatrices(const BasisSet& basis, const ChargedShell& shell);

}  // namespace prophet

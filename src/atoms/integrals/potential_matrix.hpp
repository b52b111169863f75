#pragma once
#include <functional>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/block_matrix.hpp"
#include "atoms/integrals/radial_grid.hpp"

namespace prophet {

/// Matrices <P|V|P> and <Q|V|Q> (blocks LL and SS; LS stays empty) of a local radial potential V(r), hartree
/// at bohr, by the trapezoidal rule with spacing h in ln r. The error falls as exp(-2 pi w/h), where w is the
/// largest angle |arg r| in which V is analytic, at most pi/4.
std::vector<BlockMatrix> potentialMatrices(const BasisSet& basis,
                                           const std::function<double(double)>& potential, double h);

/// The same on a given grid.
std::vector<BlockMatrix> potentialMatrices(const BasisSet& basis,
                                           const std::function<double(double)>& potential,
                                           const RadialGrid& grid);

/// integral r^n exp(-p r^2) / max(r, radius) dr for even n >= 2, as two incomplete gamma functions.
double shellAttraction(double radius, int n, double p);

/// Matrices <P|V|P> and <Q|V|Q> (blocks LL and SS; LS stays empty) of a charged shell, hartree, in closed
/// form: the potential has an edge, at which quadratures lose their digits.
std::vector<BlockMatrix> shellMatrices(const BasisSet& basis, const ChargedShell& shell);

}  // namespace prophet

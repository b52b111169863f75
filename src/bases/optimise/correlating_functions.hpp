#pragma once
#include <vector>

#include "atoms/basis/library.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

/// Polarising and correlating functions for molecules, by a rule that looks at the atom only:
///
/// - The valence is the outermost s spinor, and the np of a p block, the (n-1)d of a d block, the (n-2)f of
/// an
///   f block. A function of angular momentum L follows a valence spinor where the overlap of their radial
///   functions, integral of P(r) r^(L+1) exp(-zeta r^2) dr normalised, is largest: that exponent is the
///   centre.
/// - `sets` = 1 to 4: of the first L above the block's l as many functions, of the next L one less,
///   and so on; of p for the s spinor of d and f blocks as many as of the first L. Several functions of an L
///   are even-tempered about the centre, with the ratio 3.4 (two), 2.8 (three) or 2.4 (four).
/// - The first L, and p for s, are the group "polarisation", what is above "correlation".
///
/// Functions with a neighbour in the set closer than a ratio of 1.25 are left out: the set has them already.
/// `scf`: the result for `basis`, the neutral atom's of charge `z`. `sets`: 1 to 4. Throws Error for other
/// numbers.
std::vector<FunctionGroup> correlatingFunctions(int z, const BasisSet& basis, const ScfResult& scf, int sets);

/// Exponent of the function of angular momentum L whose radial function overlaps most with sum c_p g_p,
/// normalised Gaussians of angular momentum l: bohr^-2. Of the largest overlaps in each lobe of the sum that
/// of the outermost lobe, or the largest one: tails of inner spinors have lobes of their own.
enum class Lobe { Outermost, Largest };
double followingExponent(const std::vector<double>& exponents, const Eigen::VectorXd& coefficients, int l,
                         int following, Lobe lobe = Lobe::Outermost);

/// followingExponent for the outermost spinor of angular momentum l of an SCF in `basis`, bohr^-2. Throws
/// Error where there is none.
double valenceCentre(const BasisSet& basis, const ScfResult& scf, int l, int following);
/// The same of the spinor nl, which is a closed one, by its largest lobe.
double spinorCentre(const BasisSet& basis, const ScfResult& scf, int n, int l, int following);

}  // namespace prophet

#pragma once
#include <Eigen/Core>

#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"

namespace prophet {

/// Matrix elements of one symmetry between the derivative of normalised primitive p with respect to ln zeta_p
/// (rows) and primitive q (columns), n x n each, not symmetric: the derivative of the element (p, q) with
/// respect to ln zeta_p.
struct ExponentDerivatives {
  Eigen::MatrixXd overlapLarge, overlapSmall;  ///< <dP_p|P_q>, <dQ_p|Q_q>
  Eigen::MatrixXd nuclearLarge, nuclearSmall;  ///< <dP_p|V|P_q>, <dQ_p|V|Q_q>, hartree
};

/// As exact as oneElectronMatrices, in the same ways for every nuclear model.
ExponentDerivatives exponentDerivatives(const SymmetryBasis& basis, const Nucleus& nucleus);

}  // namespace prophet

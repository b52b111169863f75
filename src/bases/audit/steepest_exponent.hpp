#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "bases/audit/exponent_lists.hpp"

namespace prophet {

struct SteepestExponent {
  double slope = 0;   ///< |dE/d ln zeta|, hartree
  std::string place;  ///< "f 3": the third-largest exponent of the list f
};

/// The exponent with the largest derivative, of occupied lists. `gradient`: dE/d ln zeta for each symmetry of
/// `basis` in the order of its exponents; symmetries that share a list add up, so that a set is stationary
/// where the energy is stationary in the exponents that the set has. Empty where there is no gradient.
std::optional<SteepestExponent> steepestExponent(const std::vector<ExponentList>& lists,
                                                 const BasisSet& basis,
                                                 const std::vector<Eigen::VectorXd>& gradient);

}  // namespace prophet

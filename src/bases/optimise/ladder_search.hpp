#pragma once
#include <vector>

#include "bases/optimise/ladder_fit.hpp"

namespace prophet {

/// Derivatives of ln zeta of a ladder's exponents (rows) with respect to the variables of
/// ladder_variables.hpp: ln alpha, ln(beta - 1), ln delta, ln gamma.
Eigen::Matrix<double, Eigen::Dynamic, 4> ladderSlopes(const WellTemperedParameters& p, int functions);

/// What fitLadder minimises, by its gradient (BasisTrials::slopes): from each of `starts` by BFGS steps of
/// bounded length, and on from the best end; there are several minima. The result does not depend on how many
/// starts are searched at once (`sideBySide`). Source of BFGS: J. Nocedal and S. J. Wright, Numerical
/// Optimization (2006), chapter 6.
FittedLadder searchLadder(const BasisTrials& field, int symmetry, int functions,
                          const std::vector<WellTemperedParameters>& starts, double resolution,
                          int sideBySide);

}  // namespace prophet

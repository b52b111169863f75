#pragma once
#include <vector>

#include "atoms/basis/well_tempered.hpp"
#include "atoms/frozen/field_table.hpp"
#include "bases/optimise/minimiser.hpp"

namespace prophet {

/// The best ladder of a given size that was found for one symmetry.
struct FittedLadder {
  int functions = 0;
  WellTemperedParameters parameters;
  BasisShortfall shortfall;  ///< in the frozen field
  int evaluations = 0;
  std::vector<double> exponents() const { return wellTemperedExponents(parameters, 1, functions, functions); }
};

/// Exponent range of the reference that one symmetry needs: the widest ladder ends that can go without
/// raising the energy by more than `tolerance` (hartree) each. Bisection, since the rise grows with every
/// function removed.
struct ExponentRange {
  double smallest = 0, largest = 0;
};
ExponentRange neededRange(const BasisTrials& field, int symmetry, const std::vector<double>& reference,
                          double tolerance);

/// The beta with which a ladder of `functions` from alpha ends at `largest`; delta and gamma are given.
WellTemperedParameters ladderOver(ExponentRange range, int functions, double delta, double gamma);

/// What is minimised: the rise plus 1.3 times the prolapse, so that no ladder gains by letting the energy
/// fall below the limit. (With 1.0 the s+ ladder of Rn hides a lack of 2e-9 behind as much prolapse; with 2.0
/// some atoms need a function more.)
double cost(const BasisShortfall& shortfall);

/// Minimises cost() of a ladder of `functions` from the given parameters, as asinh(cost/resolution):
/// logarithmic where the error matters, linear where it is lost in `resolution` (hartree).
FittedLadder fitLadder(const BasisTrials& field, int symmetry, int functions,
                       const WellTemperedParameters& start, double resolution,
                       const MinimiserOptions& options);

/// Start for a ladder of another size: the same range, delta and gamma.
WellTemperedParameters resized(const FittedLadder& ladder, int functions);

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

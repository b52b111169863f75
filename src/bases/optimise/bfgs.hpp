#pragma once
#include <vector>

#include "bases/optimise/minimiser.hpp"

namespace prophet {

struct BfgsOptions {
  double firstStep = 0.3;      ///< length of the first one, down the gradient
  double longestStep = 0.5;    ///< in any variable
  double shortestStep = 1e-4;  ///< along a line
  double tolerance = 1e-8;     ///< stop after two steps in a row that lower the value by less
  int maxEvaluations = 200;
};

/// Minimises f from x by BFGS steps of bounded length, each shortened until the value falls enough: for
/// variables such as logarithms of exponents, in which a step of one is a long one wherever it begins. Points
/// where the value or the gradient is no number are avoided; where the first one has none, the value of the
/// result is infinite. Deterministic. What f throws is thrown here. Source: J. Nocedal and S. J. Wright,
/// Numerical Optimization (2006), chapter 6.
Minimum minimiseByBfgs(const ValueAndGradient& f, const std::vector<double>& x, const BfgsOptions& options);

}  // namespace prophet

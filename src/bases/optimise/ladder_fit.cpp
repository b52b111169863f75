#include "bases/optimise/ladder_fit.hpp"

#include <algorithm>
#include <cmath>

#include "bases/optimise/ladder_variables.hpp"

namespace prophet {
namespace {

/// Value of a basis that cannot carry the spinors: above every real one, finite for the optimiser's sake.
constexpr double kImpossible = 100.0;
constexpr double kProlapseWeight = 1.3;

/// How many of `count` functions can go: the largest m with rise(m) <= tolerance, for a growing rise(m).
template <typename Rise>
int removable(int count, double tolerance, const Rise& rise) {
  int good = 0, bad = count;
  while (bad - good > 1) {
    const int middle = (good + bad) / 2;
    (rise(middle) <= tolerance ? good : bad) = middle;
  }
  return good;
}

}  // namespace

double cost(const BasisShortfall& shortfall) { return shortfall.rise + kProlapseWeight * shortfall.prolapse; }

ExponentRange neededRange(const BasisTrials& field, int symmetry, const std::vector<double>& reference,
                          double tolerance) {
  const int n = static_cast<int>(reference.size());
  const int tight = removable(n, tolerance, [&](int m) {
    return field.rise(symmetry, {reference.begin(), reference.end() - m});
  });
  const int diffuse = removable(n, tolerance, [&](int m) {
    return field.rise(symmetry, {reference.begin() + m, reference.end()});
  });
  const int first = std::min(diffuse, n - 1 - tight);
  return {reference[first], reference[n - 1 - tight]};
}

WellTemperedParameters ladderOver(ExponentRange range, int functions, double delta, double gamma) {
  WellTemperedParameters p{range.smallest, 1.0, delta, gamma};
  if (functions < 2) return {range.smallest, 2.0, delta, gamma};
  double growth = std::log(range.largest / range.smallest);
  for (int k = 2; k <= functions; ++k)
    growth -= std::log1p(gamma * std::pow(static_cast<double>(k) / functions, delta));
  p.beta = std::max(1.05, std::exp(growth / (functions - 1)));
  return p;
}

FittedLadder fitLadder(const BasisTrials& field, int symmetry, int functions,
                       const WellTemperedParameters& start, double resolution,
                       const MinimiserOptions& options) {
  const auto shortfallOf = [&](const std::vector<double>& x) {
    const WellTemperedParameters p = fromVariables(x).front();
    return field.shortfall(symmetry, wellTemperedExponents(p, 1, functions, functions));
  };
  const Minimum best = minimise(
      [&](const std::vector<double>& x) {
        return std::min(std::asinh(cost(shortfallOf(x)) / resolution), kImpossible);
      },
      toVariables({start}), options);
  return {functions, fromVariables(best.x).front(), shortfallOf(best.x), best.evaluations + 1};
}

WellTemperedParameters resized(const FittedLadder& ladder, int functions) {
  const std::vector<double> exponents = ladder.exponents();
  return ladderOver({exponents.front(), exponents.back()}, functions, ladder.parameters.delta,
                    ladder.parameters.gamma);
}

}  // namespace prophet

#pragma once
#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/common/names.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// Minimisers of NLopt: four that need no derivatives, and two that do.
enum class MinimiserMethod { Newuoa, Bobyqa, NelderMead, Sbplx, Lbfgs, Slsqp };

/// Whether it needs the gradient: those are for minimiseWithGradient, the others for minimise.
bool usesGradient(MinimiserMethod method);

/// "newuoa", "bobyqa", "nelder-mead", "sbplx", "lbfgs", "slsqp".
template <>
const Names<MinimiserMethod>& namesOf();
/// The method of a name, in any case. Throws Error with the list for another name.
inline MinimiserMethod minimiserOf(const std::string& name) {
  return requireNamed<MinimiserMethod>(name, "optimiser");
}

struct MinimiserOptions {
  MinimiserMethod method = MinimiserMethod::Newuoa;
  double rhoBegin = 0.1;     ///< first step in every variable
  double rhoEnd = 1e-4;      ///< stop where the steps are smaller
  int maxEvaluations = 500;  ///< stop after so many function values
  /// Stop at the first value of this or less.
  std::optional<double> target{};
  Checkpoint checkpoint{};  ///< called before each function value
};

enum class StopReason { Converged, MaxEvaluations, Rounding, Target };
std::string describe(StopReason reason);

struct Minimum {
  std::vector<double> x;  ///< the best point evaluated
  double value = 0;
  int evaluations = 0;
  StopReason reason = StopReason::Converged;
};

/// Value and gradient at x (the gradient comes with the size of x); `done` set to true ends the search there.
using ValueAndGradient =
    std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient, bool& done)>;

/// Minimises f from x by its gradient. Sensible where all variables have the same scale. Ends where f says so
/// (Target), where rounding allows no progress, or after maxEvaluations; rhoBegin and rhoEnd do not count.
/// What f returns must be finite; what it throws is thrown here. Sources: D. C. Liu and J. Nocedal, Math.
/// Program. 45, 503 (1989), as programmed by L. Luksan; D. Kraft, ACM Trans. Math. Softw. 20, 262 (1994).
Minimum minimiseWithGradient(const ValueAndGradient& f, const std::vector<double>& x,
                             const MinimiserOptions& options);

/// Minimises f from x. The same values give the same path: deterministic, no random numbers. What f returns
/// must be finite; what it throws ends the run and is thrown here. NEWUOA needs at least
/// two variables; with one Sbplx takes its place. Source of NEWUOA: M. J. D. Powell, in Large-Scale Nonlinear
/// Optimization (2006), p. 255. Throws Error for options out of range.
Minimum minimise(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& x,
                 const MinimiserOptions& options);

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

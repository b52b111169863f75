#include "bases/optimise/minimiser.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <exception>
#include <nlopt.hpp>
#include <utility>

#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

nlopt::algorithm algorithmOf(MinimiserMethod method, std::size_t variables) {
  switch (method) {
    case MinimiserMethod::Newuoa:
      return variables < 2 ? nlopt::LN_SBPLX : nlopt::LN_NEWUOA;
    case MinimiserMethod::Bobyqa:
      return variables < 2 ? nlopt::LN_SBPLX : nlopt::LN_BOBYQA;
    case MinimiserMethod::NelderMead:
      return nlopt::LN_NELDERMEAD;
    case MinimiserMethod::Lbfgs:
      return nlopt::LD_LBFGS;
    case MinimiserMethod::Slsqp:
      return nlopt::LD_SLSQP;
    case MinimiserMethod::Sbplx:
      break;
  }
  return nlopt::LN_SBPLX;
}

/// What the callback needs. NLopt does not hand on what a callback throws, so that is kept here.
struct Run {
  const std::function<double(const std::vector<double>&)>& f;
  const Checkpoint& checkpoint;
  Minimum best;
  std::exception_ptr error;
};

double callback(const std::vector<double>& x, std::vector<double>&, void* data) {
  Run& run = *static_cast<Run*>(data);
  try {
    pass(run.checkpoint);
    const double value = run.f(x);
    if (run.best.evaluations++ == 0 || value < run.best.value) {
      run.best.value = value;
      run.best.x = x;
    }
    return value;
  } catch (...) {
    run.error = std::current_exception();
    throw nlopt::forced_stop();
  }
}

struct GradientRun {
  const ValueAndGradient& f;
  const Checkpoint& checkpoint;
  Minimum best;
  std::exception_ptr error;
};

double gradientCallback(const std::vector<double>& x, std::vector<double>& gradient, void* data) {
  GradientRun& run = *static_cast<GradientRun*>(data);
  bool done = false;
  try {
    pass(run.checkpoint);
    const auto n = static_cast<Eigen::Index>(x.size());
    Eigen::VectorXd g = Eigen::VectorXd::Zero(n);
    const double value = run.f(Eigen::Map<const Eigen::VectorXd>(x.data(), n), g, done);
    if (run.best.evaluations++ == 0 || value < run.best.value || done) {
      run.best.value = value;
      run.best.x = x;
    }
    if (!gradient.empty()) Eigen::Map<Eigen::VectorXd>(gradient.data(), n) = g;
    if (!done) return value;
    run.best.reason = StopReason::Target;
  } catch (...) {
    run.error = std::current_exception();
  }
  throw nlopt::forced_stop();
}

void check(const std::vector<double>& x, const MinimiserOptions& o) {
  if (x.empty()) throw Error("nothing to optimise: no variables");
  if (!(o.rhoEnd > 0.0) || !(o.rhoBegin >= o.rhoEnd)) throw Error("the optimiser needs rhobeg >= rhoend > 0");
  if (o.maxEvaluations < 1) throw Error("the optimiser needs maxfun of 1 or more");
}

}  // namespace

template <>
const Names<MinimiserMethod>& namesOf() {
  static const Names<MinimiserMethod> kNames = {{"newuoa", MinimiserMethod::Newuoa},
                                                {"bobyqa", MinimiserMethod::Bobyqa},
                                                {"nelder-mead", MinimiserMethod::NelderMead},
                                                {"sbplx", MinimiserMethod::Sbplx},
                                                {"lbfgs", MinimiserMethod::Lbfgs},
                                                {"slsqp", MinimiserMethod::Slsqp}};
  return kNames;
}

std::string describe(StopReason reason) {
  switch (reason) {
    case StopReason::Converged:
      return "steps smaller than rhoend";
    case StopReason::MaxEvaluations:
      return "maxfun reached";
    case StopReason::Target:
      return "target reached";
    case StopReason::Rounding:
      break;
  }
  return "no further progress: rounding errors";
}

bool usesGradient(MinimiserMethod method) {
  return method == MinimiserMethod::Lbfgs || method == MinimiserMethod::Slsqp;
}

Minimum minimise(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& x,
                 const MinimiserOptions& options) {
  check(x, options);
  if (usesGradient(options.method))
    throw Error("the minimiser " + nameOf(options.method) + " needs gradients");
  Run run{f, options.checkpoint, {x, 0.0, 0, StopReason::Converged}, nullptr};
  try {
    nlopt::opt optimiser(algorithmOf(options.method, x.size()), static_cast<unsigned>(x.size()));
    optimiser.set_min_objective(callback, &run);
    optimiser.set_initial_step(options.rhoBegin);
    optimiser.set_xtol_abs(options.rhoEnd);
    if (options.target) optimiser.set_stopval(*options.target);
    optimiser.set_maxeval(options.maxEvaluations);
    std::vector<double> point = x;
    double value = 0.0;
    const nlopt::result result = optimiser.optimize(point, value);
    if (result == nlopt::MAXEVAL_REACHED) run.best.reason = StopReason::MaxEvaluations;
    if (result == nlopt::STOPVAL_REACHED) run.best.reason = StopReason::Target;
  } catch (const nlopt::roundoff_limited&) {
    run.best.reason = StopReason::Rounding;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    if (run.error) std::rethrow_exception(run.error);
    if (run.best.evaluations == 0)
      throw Error(fmt::format("the optimiser refused its options: {}", error.what()));
  }
  return run.best;
}

Minimum minimiseWithGradient(const ValueAndGradient& f, const std::vector<double>& x,
                             const MinimiserOptions& options) {
  check(x, options);
  if (!usesGradient(options.method))
    throw Error("the minimiser " + nameOf(options.method) + " takes no gradients");
  GradientRun run{f, options.checkpoint, {x, 0.0, 0, StopReason::Rounding}, nullptr};
  try {
    nlopt::opt optimiser(algorithmOf(options.method, x.size()), static_cast<unsigned>(x.size()));
    optimiser.set_min_objective(gradientCallback, &run);
    optimiser.set_maxeval(options.maxEvaluations);
    std::vector<double> point = x;
    double value = 0.0;
    if (optimiser.optimize(point, value) == nlopt::MAXEVAL_REACHED)
      run.best.reason = StopReason::MaxEvaluations;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    // A line search that finds no lower point is how these methods end at a minimum.
    if (run.error) std::rethrow_exception(run.error);
  }
  return run.best;
}

}  // namespace prophet

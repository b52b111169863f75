#include "optimise/minimiser.hpp"

#include <nlopt.h>

#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <utility>

#include "common/error.hpp"
#include "common/text.hpp"

namespace prophet {
namespace {

constexpr std::array<std::pair<MinimiserMethod, const char*>, 4> kNames{
    {{MinimiserMethod::Newuoa, "newuoa"},
     {MinimiserMethod::Bobyqa, "bobyqa"},
     {MinimiserMethod::NelderMead, "nelder-mead"},
     {MinimiserMethod::Sbplx, "sbplx"}}};

nlopt_algorithm algorithmOf(MinimiserMethod method, std::size_t variables) {
  switch (method) {
    case MinimiserMethod::Newuoa:
      return variables < 2 ? NLOPT_LN_SBPLX : NLOPT_LN_NEWUOA;
    case MinimiserMethod::Bobyqa:
      return variables < 2 ? NLOPT_LN_SBPLX : NLOPT_LN_BOBYQA;
    case MinimiserMethod::NelderMead:
      return NLOPT_LN_NELDERMEAD;
    case MinimiserMethod::Sbplx:
      break;
  }
  return NLOPT_LN_SBPLX;
}

/// What the C callback needs; exceptions must not pass through NLopt's frames.
struct Run {
  const std::function<double(const std::vector<double>&)>& f;
  nlopt_opt optimiser;
  Minimum best;
  std::exception_ptr error;
};

double callback(unsigned n, const double* x, double*, void* data) {
  Run& run = *static_cast<Run*>(data);
  try {
    const std::vector<double> point(x, x + n);
    const double value = run.f(point);
    if (run.best.evaluations++ == 0 || value < run.best.value) {
      run.best.value = value;
      run.best.x = point;
    }
    return value;
  } catch (...) {
    run.error = std::current_exception();
    nlopt_force_stop(run.optimiser);
    return 0.0;
  }
}

void check(const std::vector<double>& x, const MinimiserOptions& o) {
  if (x.empty()) throw Error("nothing to optimise: no variables");
  if (!(o.rhoEnd > 0.0) || !(o.rhoBegin >= o.rhoEnd)) throw Error("the optimiser needs rhobeg >= rhoend > 0");
  if (o.maxEvaluations < 1) throw Error("the optimiser needs maxfun of 1 or more");
}

}  // namespace

std::string nameOf(MinimiserMethod method) {
  for (const auto& [known, name] : kNames) {
    if (known == method) return name;
  }
  return "";
}

MinimiserMethod minimiserOf(const std::string& name) {
  std::string list;
  for (const auto& [method, known] : kNames) {
    if (lowerCase(name) == known) return method;
    list += (list.empty() ? "" : ", ") + std::string(known);
  }
  throw Error("unknown optimiser '" + name + "'; there is: " + list);
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

Minimum minimise(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& x,
                 const MinimiserOptions& options) {
  check(x, options);
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimiser(
      nlopt_create(algorithmOf(options.method, x.size()), static_cast<unsigned>(x.size())), &nlopt_destroy);
  if (!optimiser) throw Error("not enough memory for the optimiser");
  Run run{f, optimiser.get(), {x, 0.0, 0, StopReason::Converged}, nullptr};
  nlopt_set_min_objective(optimiser.get(), callback, &run);
  nlopt_set_initial_step1(optimiser.get(), options.rhoBegin);
  nlopt_set_xtol_abs1(optimiser.get(), options.rhoEnd);
  if (options.target) nlopt_set_stopval(optimiser.get(), *options.target);
  nlopt_set_maxeval(optimiser.get(), options.maxEvaluations);
  std::vector<double> point = x;
  double value = 0.0;
  const nlopt_result result = nlopt_optimize(optimiser.get(), point.data(), &value);
  if (run.error) std::rethrow_exception(run.error);
  if (result == NLOPT_MAXEVAL_REACHED) run.best.reason = StopReason::MaxEvaluations;
  if (result == NLOPT_STOPVAL_REACHED) run.best.reason = StopReason::Target;
  if (result == NLOPT_ROUNDOFF_LIMITED) run.best.reason = StopReason::Rounding;
  if (result < 0 && result != NLOPT_ROUNDOFF_LIMITED && run.best.evaluations == 0)
    throw Error("the optimiser refused its options: NLopt error " + std::to_string(result));
  return run.best;
}

}  // namespace prophet

#include "bases/optimise/minimiser.hpp"

#include <fmt/format.h>
#include <nlopt.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
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

namespace {

constexpr int kMostTrials = 12;       // of a line
constexpr double kEnoughFall = 1e-4;  // of what the gradient promises

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct SimplexPoint {
  Vector x;
  double value = std::numeric_limits<double>::infinity();
  Vector gradient;
  bool possible() const { return std::isfinite(value); }
};

class BfgsSearch {
 public:
  BfgsSearch(const ValueAndGradient& f, const BfgsOptions& options) : f_(f), options_(options) {}
  Minimum from(const std::vector<double>& x);

 private:
  SimplexPoint measure(const Vector& x);
  SimplexPoint alongLine(const SimplexPoint& from, const Vector& step);
  void restart(const SimplexPoint& point);
  void learn(const Vector& step, const Vector& change);

  const ValueAndGradient& f_;
  const BfgsOptions& options_;
  Matrix inverse_;  ///< of the second derivatives, as far as they are known
  bool scaled_ = false, done_ = false;
  int evaluations_ = 0;
};

SimplexPoint BfgsSearch::measure(const Vector& x) {
  SimplexPoint point;
  point.x = x;
  point.gradient = Vector::Zero(x.size());
  ++evaluations_;
  const double value = f_(x, point.gradient, done_);
  if (std::isfinite(value) && point.gradient.allFinite()) point.value = value;
  return point;
}

/// The first point along a step that falls enough, by parabolas; the start where there is none.
SimplexPoint BfgsSearch::alongLine(const SimplexPoint& from, const Vector& step) {
  const double slope = step.dot(from.gradient), length = step.cwiseAbs().maxCoeff();
  double part = 1.0;
  for (int i = 0; i < kMostTrials && part * length > options_.shortestStep; ++i) {
    const SimplexPoint to = measure(from.x + part * step);
    if (done_ || (to.possible() && to.value <= from.value + kEnoughFall * part * slope)) return to;
    const double curved = to.value - from.value - part * slope;
    part =
        to.possible() ? std::clamp(-0.5 * slope * part * part / curved, 0.1 * part, 0.5 * part) : 0.25 * part;
  }
  return from;
}

void BfgsSearch::restart(const SimplexPoint& point) {
  constexpr double kNoSlope = 1e-30;
  scaled_ = false;
  inverse_ = Matrix::Identity(point.x.size(), point.x.size()) *
             (options_.firstStep / std::max(point.gradient.norm(), kNoSlope));
}

void BfgsSearch::learn(const Vector& step, const Vector& change) {
  constexpr double kSafe = 1e-10;
  const double along = step.dot(change);
  if (!(along > kSafe * step.norm() * change.norm())) return;
  const Matrix one = Matrix::Identity(step.size(), step.size());
  if (!scaled_) inverse_ = one * (along / change.squaredNorm());
  scaled_ = true;
  const Matrix left = one - step * change.transpose() / along;
  inverse_ = (left * inverse_ * left.transpose() + step * step.transpose() / along).eval();
}

Minimum BfgsSearch::from(const std::vector<double>& x) {
  SimplexPoint point = measure(Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())));
  restart(point);
  StopReason reason = StopReason::Converged;
  for (int idle = 0; point.possible() && !done_ && idle < 2;) {
    if (evaluations_ >= options_.maxEvaluations) {
      reason = StopReason::MaxEvaluations;
      break;
    }
    Vector step = -inverse_ * point.gradient;
    if (!(step.dot(point.gradient) < 0.0)) {
      restart(point);
      step = -inverse_ * point.gradient;
    }
    step *= std::min(1.0, options_.longestStep / std::max(step.cwiseAbs().maxCoeff(), 1e-30));
    const SimplexPoint next = alongLine(point, step);
    if (!done_ && !(next.value < point.value)) break;
    learn(next.x - point.x, next.gradient - point.gradient);
    idle = point.value - next.value < options_.tolerance ? idle + 1 : 0;
    point = next;
  }
  if (done_) reason = StopReason::Target;
  return {{point.x.data(), point.x.data() + point.x.size()}, point.value, evaluations_, reason};
}

}  // namespace

Minimum minimiseByBfgs(const ValueAndGradient& f, const std::vector<double>& x, const BfgsOptions& options) {
  return BfgsSearch(f, options).from(x);
}

}  // namespace prophet

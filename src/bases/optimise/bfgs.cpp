#include "bases/optimise/bfgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace prophet {
namespace {

constexpr int kMostTrials = 12;       // of a line
constexpr double kEnoughFall = 1e-4;  // of what the gradient promises

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct Point {
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
  Point measure(const Vector& x);
  Point alongLine(const Point& from, const Vector& step);
  void restart(const Point& point);
  void learn(const Vector& step, const Vector& change);

  const ValueAndGradient& f_;
  const BfgsOptions& options_;
  Matrix inverse_;  ///< of the second derivatives, as far as they are known
  bool scaled_ = false, done_ = false;
  int evaluations_ = 0;
};

Point BfgsSearch::measure(const Vector& x) {
  Point point;
  point.x = x;
  point.gradient = Vector::Zero(x.size());
  ++evaluations_;
  const double value = f_(x, point.gradient, done_);
  if (std::isfinite(value) && point.gradient.allFinite()) point.value = value;
  return point;
}

/// The first point along a step that falls enough, by parabolas; the start where there is none.
Point BfgsSearch::alongLine(const Point& from, const Vector& step) {
  const double slope = step.dot(from.gradient), length = step.cwiseAbs().maxCoeff();
  double part = 1.0;
  for (int i = 0; i < kMostTrials && part * length > options_.shortestStep; ++i) {
    const Point to = measure(from.x + part * step);
    if (done_ || (to.possible() && to.value <= from.value + kEnoughFall * part * slope)) return to;
    const double curved = to.value - from.value - part * slope;
    part =
        to.possible() ? std::clamp(-0.5 * slope * part * part / curved, 0.1 * part, 0.5 * part) : 0.25 * part;
  }
  return from;
}

void BfgsSearch::restart(const Point& point) {
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
  Point point = measure(Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())));
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
    const Point next = alongLine(point, step);
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

#include "bases/optimise/ladder_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "bases/optimise/variables.hpp"
#include "core/common/threads.hpp"

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

namespace {

/// Variables and values are logarithms: what falls by less than this is near its minimum, and at it.
constexpr double kNear = 1e-3, kThere = 1e-4;
constexpr double kFirstStep = 0.3, kLongestStep = 0.5, kShortestStep = 1e-4;
constexpr int kMostEvaluations = 200, kMostTrials = 12;  // of a search, of a line
constexpr double kEnoughFall = 1e-4;                     // of what the gradient promises

using Vector = Eigen::Vector4d;
using Matrix = Eigen::Matrix4d;

struct Point {
  Vector x;
  double value = kImpossible;
  Vector gradient = Vector::Zero();
  BasisShortfall shortfall;
  bool possible = false;
};

WellTemperedParameters parametersAt(const Vector& x) {
  return fromVariables({x.data(), x.data() + x.size()}).front();
}

class LadderSearch {
 public:
  LadderSearch(const BasisTrials& field, int symmetry, int functions, double resolution)
      : field_(field), symmetry_(symmetry), functions_(functions), resolution_(resolution) {}

  /// The end of a search from x.
  Point from(const Vector& x, double tolerance);
  int evaluations() const { return evaluations_; }

 private:
  Point measure(const Vector& x);
  Point alongLine(const Point& from, const Vector& step);
  void learn(const Vector& step, const Vector& change);

  const BasisTrials& field_;
  const int symmetry_, functions_;
  const double resolution_;
  Matrix inverse_;  ///< of the second derivatives, as far as they are known
  bool scaled_ = false;
  int evaluations_ = 0;
};

Point LadderSearch::measure(const Vector& x) {
  Point point;
  point.x = x;
  ++evaluations_;
  const WellTemperedParameters p = parametersAt(x);
  const auto s = field_.slopes(symmetry_, wellTemperedExponents(p, 1, functions_, functions_));
  if (!s) return point;
  point.shortfall = {s->rise, s->prolapse};
  const double c = cost(point.shortfall);
  if (!std::isfinite(c) || !s->ofRise.allFinite() || !s->ofProlapse.allFinite()) return point;
  point.possible = true;
  point.value = std::asinh(c / resolution_);
  // The cost is linear in rise and prolapse.
  const double ofProlapse = cost({0.0, 1.0});
  point.gradient = ladderSlopes(p, functions_).transpose() * (s->ofRise + ofProlapse * s->ofProlapse) /
                   std::hypot(c, resolution_);
  return point;
}

/// The first point along a step that falls enough, by parabolas; the start where there is none.
Point LadderSearch::alongLine(const Point& from, const Vector& step) {
  const double slope = step.dot(from.gradient), length = step.cwiseAbs().maxCoeff();
  double part = 1.0;
  for (int i = 0; i < kMostTrials && part * length > kShortestStep; ++i) {
    const Point to = measure(from.x + part * step);
    if (to.possible && to.value <= from.value + kEnoughFall * part * slope) return to;
    const double curved = to.value - from.value - part * slope;
    part =
        to.possible ? std::clamp(-0.5 * slope * part * part / curved, 0.1 * part, 0.5 * part) : 0.25 * part;
  }
  return from;
}

void LadderSearch::learn(const Vector& step, const Vector& change) {
  constexpr double kSafe = 1e-10;
  const double along = step.dot(change);
  if (!(along > kSafe * step.norm() * change.norm())) return;
  if (!scaled_) inverse_ = Matrix::Identity() * (along / change.squaredNorm());
  scaled_ = true;
  const Matrix left = Matrix::Identity() - step * change.transpose() / along;
  inverse_ = (left * inverse_ * left.transpose() + step * step.transpose() / along).eval();
}

Point LadderSearch::from(const Vector& x, double tolerance) {
  const int most = evaluations_ + kMostEvaluations;
  Point point = measure(x);
  const auto restart = [&] {
    scaled_ = false;
    inverse_ = Matrix::Identity() * (kFirstStep / std::max(point.gradient.norm(), 1e-30));
  };
  restart();
  for (int idle = 0; point.possible && evaluations_ < most && idle < 2;) {
    Vector step = -inverse_ * point.gradient;
    if (!(step.dot(point.gradient) < 0.0)) {
      restart();
      step = -inverse_ * point.gradient;
    }
    step *= std::min(1.0, kLongestStep / std::max(step.cwiseAbs().maxCoeff(), 1e-30));
    const Point next = alongLine(point, step);
    if (!(next.value < point.value)) break;
    learn(next.x - point.x, next.gradient - point.gradient);
    idle = point.value - next.value < tolerance ? idle + 1 : 0;
    point = next;
  }
  return point;
}

}  // namespace

Eigen::Matrix<double, Eigen::Dynamic, 4> ladderSlopes(const WellTemperedParameters& p, int functions) {
  Eigen::Matrix<double, Eigen::Dynamic, 4> slopes(functions, 4);
  double ofDelta = 0.0, ofGamma = 0.0;
  for (int k = 1; k <= functions; ++k) {
    if (k > 1) {
      const double place = static_cast<double>(k) / functions, growth = p.gamma * std::pow(place, p.delta),
                   part = growth / (1.0 + growth);
      ofGamma += part;
      ofDelta += part * p.delta * std::log(place);
    }
    slopes.row(k - 1) << 1.0, (k - 1) * (p.beta - 1.0) / p.beta, ofDelta, ofGamma;
  }
  return slopes;
}

FittedLadder searchLadder(const BasisTrials& field, int symmetry, int functions,
                          const std::vector<WellTemperedParameters>& starts, double resolution,
                          int sideBySide) {
  const int count = static_cast<int>(starts.size());
  std::vector<Point> ends(starts.size());
  std::vector<int> evaluations(starts.size());
  forEachShare(count, std::min(count, sideBySide), [&](int i, int) {
    const auto at = static_cast<std::size_t>(i);
    LadderSearch search(field, symmetry, functions, resolution);
    ends[at] = search.from(Eigen::Map<const Vector>(toVariables({starts[at]}).data()), kNear);
    evaluations[at] = search.evaluations();
  });
  const auto first =
      std::ranges::min_element(ends, [](const Point& a, const Point& b) { return a.value < b.value; });
  LadderSearch search(field, symmetry, functions, resolution);
  Point best = search.from(first->x, kThere);
  if (!best.possible)
    best.shortfall =
        field.shortfall(symmetry, wellTemperedExponents(parametersAt(best.x), 1, functions, functions));
  int sum = search.evaluations();
  for (const int n : evaluations) sum += n;
  return {functions, parametersAt(best.x), best.shortfall, sum};
}

}  // namespace prophet

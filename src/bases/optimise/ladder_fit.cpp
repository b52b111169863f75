#include "bases/optimise/ladder_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bases/optimise/minimiser.hpp"
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

WellTemperedParameters parametersAt(const std::vector<double>& x) { return fromVariables(x).front(); }

class LadderSearch {
 public:
  LadderSearch(const BasisTrials& field, int symmetry, int functions, double resolution)
      : field_(field), symmetry_(symmetry), functions_(functions), resolution_(resolution) {}

  /// The end of a search from x.
  Minimum from(const std::vector<double>& x, double tolerance) {
    BfgsOptions options;
    options.tolerance = tolerance;
    return minimiseByBfgs(
        [&](const Eigen::VectorXd& v, Eigen::VectorXd& gradient, bool&) { return measure(v, gradient); }, x,
        options);
  }
  /// At a point that a search has measured.
  BasisShortfall shortfallAt(const std::vector<double>& x) const {
    return std::ranges::find(measured_, x, &Measured::x)->shortfall;
  }

 private:
  struct Measured {
    std::vector<double> x;
    BasisShortfall shortfall;
  };
  double measure(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);

  const BasisTrials& field_;
  const int symmetry_, functions_;
  const double resolution_;
  std::vector<Measured> measured_;
};

double LadderSearch::measure(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::vector<double> at(x.data(), x.data() + x.size());
  const WellTemperedParameters p = parametersAt(at);
  const auto s = field_.slopes(symmetry_, wellTemperedExponents(p, 1, functions_, functions_));
  if (!s) return kNone;
  measured_.push_back({at, {s->rise, s->prolapse}});
  const double c = cost(measured_.back().shortfall);
  if (!std::isfinite(c) || !s->ofRise.allFinite() || !s->ofProlapse.allFinite()) return kNone;
  // The cost is linear in rise and prolapse.
  const double ofProlapse = cost({0.0, 1.0});
  gradient = ladderSlopes(p, functions_).transpose() * (s->ofRise + ofProlapse * s->ofProlapse) /
             std::hypot(c, resolution_);
  return std::asinh(c / resolution_);
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
  std::vector<Minimum> ends(starts.size());
  forEachShare(count, std::min(count, sideBySide), [&](int i, int) {
    const auto at = static_cast<std::size_t>(i);
    LadderSearch search(field, symmetry, functions, resolution);
    ends[at] = search.from(toVariables({starts[at]}), kNear);
  });
  const auto first = std::ranges::min_element(ends, {}, &Minimum::value);
  LadderSearch search(field, symmetry, functions, resolution);
  const Minimum best = search.from(first->x, kThere);
  const WellTemperedParameters p = parametersAt(best.x);
  int sum = best.evaluations;
  for (const Minimum& end : ends) sum += end.evaluations;
  return {functions, p,
          std::isfinite(best.value)
              ? search.shortfallAt(best.x)
              : field.shortfall(symmetry, wellTemperedExponents(p, 1, functions, functions)),
          sum};
}

}  // namespace prophet

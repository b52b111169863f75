#include "matter/powder/pattern_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/interpolators/cardinal_quintic_b_spline.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/common/constants.hpp"
#include "core/common/degree.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/levenberg_marquardt.hpp"
#include "matter/powder/cylinder_absorption.hpp"

namespace prophet {
namespace {

using constants::kPi;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMostGridPoints = 2e5;
constexpr double kLargestShift = 1.0;        // of the grid beyond the data, 1/angstrom
constexpr double kSmallestB = -50;           // angstrom^2: below it exponentials of the search would overflow
constexpr double kReachInWidths = 4;         // standard deviations of the resolution that are summed
constexpr double kStepOfDerivatives = 1e-4;  // of the steps of parameters
const double kWidthOfSigma = std::sqrt(8 * std::log(2.0));  // full width at half maximum of a Gaussian

/// Values on an even grid, between them and, as the nearest one, beyond them.
class Curve {
 public:
  Curve(const VectorXd& values, double first, double step)
      : spline_(values.data(), static_cast<std::size_t>(values.size()), first, step),
        first_(first),
        last_(first + step * static_cast<double>(values.size() - 1) * (1 - 1e-12)) {}
  double operator()(double x) const { return spline_(std::clamp(x, first_, last_)); }

 private:
  boost::math::interpolators::cardinal_quintic_b_spline<double> spline_;
  double first_, last_;
};

/// The amplitudes of the kinds of a frame between the points of the grid.
class AmplitudeCurves {
 public:
  AmplitudeCurves(const Eigen::MatrixXcd& amplitudes, const VectorXd& grid) {
    const double step = grid(1) - grid(0);
    for (Index k = 0; k < amplitudes.cols(); ++k) {
      real_.emplace_back(amplitudes.col(k).real(), grid(0), step);
      imaginary_.emplace_back(amplitudes.col(k).imag(), grid(0), step);
    }
  }
  Eigen::MatrixXcd at(const VectorXd& q) const {
    Eigen::MatrixXcd f(q.size(), static_cast<Index>(real_.size()));
    for (Index k = 0; k < f.cols(); ++k)
      for (Index i = 0; i < q.size(); ++i)
        f(i, k) = {real_[static_cast<std::size_t>(k)](q(i)), imaginary_[static_cast<std::size_t>(k)](q(i))};
    return f;
  }

 private:
  std::vector<Curve> real_, imaginary_;
};

/// The least squares of |y - A x| with x of the first `bounded` columns 0 or more, by the active sets of C.
/// L. Lawson, R. J. Hanson, Solving Least Squares Problems (1974), chapter 23.
class NonNegative {
 public:
  NonNegative(const MatrixXd& a, const VectorXd& y, Index bounded)
      : norms_(a.colwise().norm().transpose().unaryExpr([](double n) { return n > 0 ? n : 1; })),
        a_(a * norms_.cwiseInverse().asDiagonal()),
        y_(y),
        bounded_(bounded),
        passive_(static_cast<std::size_t>(a.cols()), true) {}

  VectorXd solution() {
    VectorXd x = solved();
    if (bounded_ == 0 || x.head(bounded_).minCoeff() >= 0) return x.cwiseQuotient(norms_);
    std::fill_n(passive_.begin(), bounded_, false);
    x = solved();
    for (Index rounds = 0; rounds < 3 * bounded_; ++rounds) {
      const Index next = bestOf(x);
      if (next < 0) break;
      passive_[static_cast<std::size_t>(next)] = true;
      x = withoutNegative(x);
    }
    return x.cwiseQuotient(norms_);
  }

 private:
  /// The solution, with 0 for the columns that are not passive.
  VectorXd solved() const {
    std::vector<Index> columns;
    for (Index c = 0; c < a_.cols(); ++c)
      if (passive_[static_cast<std::size_t>(c)]) columns.push_back(c);
    VectorXd x = VectorXd::Zero(a_.cols());
    if (!columns.empty()) x(columns) = leastSquares(a_(Eigen::all, columns), y_);
    return x;
  }
  /// The column along which the sum of squares falls most steeply; -1 where there is none.
  Index bestOf(const VectorXd& x) const {
    const VectorXd descent = a_.transpose() * (y_ - a_ * x);
    Index best = -1;
    double most = 1e-12 * y_.norm();
    for (Index c = 0; c < bounded_; ++c) {
      if (passive_[static_cast<std::size_t>(c)] || descent(c) <= most) continue;
      most = descent(c);
      best = c;
    }
    return best;
  }
  /// From x towards the solution of the passive columns, and those that reach 0 on the way stay there.
  VectorXd withoutNegative(VectorXd x) {
    for (;;) {
      VectorXd target = solved();
      double part = 1;
      Index first = -1;
      for (Index c = 0; c < bounded_; ++c) {
        if (target(c) >= 0 || x(c) / (x(c) - target(c)) >= part) continue;
        part = x(c) / (x(c) - target(c));
        first = c;
      }
      if (first < 0) return target;
      x += part * (target - x);
      // One column less in every round, so that rounds end.
      x(first) = 0;
      passive_[static_cast<std::size_t>(first)] = false;
    }
  }

  VectorXd norms_;
  MatrixXd a_;
  const VectorXd& y_;
  Index bounded_;
  std::vector<bool> passive_;
};

/// Chebyshev polynomials T_0 to T_degree over the range of x, a column each.
MatrixXd polynomials(const VectorXd& x, int degree) {
  const Eigen::ArrayXd t = 2 * (x.array() - x(0)) / (x(x.size() - 1) - x(0)) - 1;
  MatrixXd values(x.size(), degree + 1);
  for (int k = 0; k <= degree; ++k) {
    if (k < 2)
      values.col(k) = k == 0 ? Eigen::ArrayXd::Ones(x.size()) : t;
    else
      values.col(k) = 2 * t * values.col(k - 1).array() - values.col(k - 2).array();
  }
  return values;
}

/// The pattern as a function of its parameters.
class PatternModel {
 public:
  PatternModel(const MeasuredPattern& measured, const VectorXd& grid,
               const std::vector<PatternComponent>& components, const PatternFitOptions& options)
      : measured_(measured),
        grid_(grid),
        components_(components),
        options_(options),
        absorption_(options.absorption),
        background_(polynomials(measured.x, options.background)) {
    for (const PatternComponent& c : components)
      for (const FrameSums& f : c.frames) {
        curves_.emplace_back(f.amplitudes, grid);
        diameterStep_ = 4 * (grid(1) - grid(0));
      }
  }

  Index scales() const { return static_cast<Index>(components_.size()); }
  const MatrixXd& background() const { return background_; }

  /// What each component scatters at the points of the pattern: (point, component).
  MatrixXd components(const PatternParameters& p) const {
    MatrixXd columns(measured_.x.size(), scales());
    std::size_t frame = 0;
    for (Index c = 0; c < columns.cols(); ++c) {
      const PatternComponent& component = components_[static_cast<std::size_t>(c)];
      VectorXd intensity = VectorXd::Zero(grid_.size());
      for (const FrameSums& f : component.frames) intensity += intensityOfFrame(f, curves_[frame++], p);
      columns.col(c) = seen(intensity / static_cast<double>(component.frames.size()), p);
    }
    return columns;
  }
  /// Scales and coefficients of the background that fit best, and the columns that they multiply.
  VectorXd linear(const MatrixXd& columns) const {
    const VectorXd weights = measured_.sigma.cwiseInverse();
    const VectorXd y = weights.cwiseProduct(measured_.intensity);
    return NonNegative(weights.asDiagonal() * columns, y, scales()).solution();
  }
  MatrixXd allColumns(const PatternParameters& p) const {
    MatrixXd all(measured_.x.size(), scales() + background_.cols());
    all << components(p), background_;
    return all;
  }
  VectorXd q(const PatternParameters& p) const {
    return momentaOfAxis((measured_.x.array() - p(kZero)).matrix(), options_);
  }
  /// How many points have a negative H^2.
  Index withoutWidth(const PatternParameters& p) const {
    const VectorXd momenta = q(p);
    return std::count_if(momenta.begin(), momenta.end(),
                         [&](double momentum) { return squaredWidth(momentum, p) < 0; });
  }

 private:
  /// On the grid as if distances were not scaled: at q = grid/lattice.
  VectorXd intensityOfFrame(const FrameSums& f, const AmplitudeCurves& curves,
                            const PatternParameters& p) const {
    const VectorXd q = grid_ / limited(p(kLattice));
    std::vector<double> b = bFactorsOf(f.kinds, options_.bFactors);
    for (double& value : b) value += std::clamp(p(kB), kSmallestB, kLargestBFactor);
    return intensityOf(f.sums, f.counts, q, curves.at(q), b);
  }
  static double limited(double lattice) {
    return std::clamp(lattice, 1 - kLargestStrain, 1 + kLargestStrain);
  }
  /// What the instrument makes of an intensity on the grid.
  VectorXd seen(const VectorXd& intensity, const PatternParameters& p) const {
    const Curve curve(intensity, grid_(0), grid_(1) - grid_(0));
    const double lattice = limited(p(kLattice));
    const VectorXd momenta = q(p);
    VectorXd values(momenta.size());
    for (Index i = 0; i < momenta.size(); ++i) {
      const double sigma = resolution(momenta(i), p);
      values(i) = polarised(momenta(i)) * absorbed(momenta(i)) *
                  smeared(curve, lattice * momenta(i), lattice * sigma);
    }
    return values;
  }
  /// The sum over even steps has errors far below those of the curve: both factors are smooth.
  double smeared(const Curve& curve, double at, double sigma) const {
    if (!(sigma > 0)) return curve(at);
    const double step = std::min(sigma / 2, diameterStep_);
    const int steps = static_cast<int>(std::ceil(kReachInWidths * sigma / step));
    double sum = 0, weights = 0;
    for (int k = -steps; k <= steps; ++k) {
      const double d = k * step, weight = std::exp(-d * d / (2 * sigma * sigma));
      sum += weight * curve(at + d);
      weights += weight;
    }
    return sum / weights;
  }
  /// H^2 in degrees^2 or 1/angstrom^2.
  double squaredWidth(double q, const PatternParameters& p) const {
    const bool angles = options_.axis == PatternAxis::TwoTheta;
    const double x = angles ? sineOf(q) / std::max(cosineOf(q), 1e-6) : q;
    return (p(kU) * x + p(kV)) * x + p(kW);
  }
  /// The standard deviation of q.
  double resolution(double q, const PatternParameters& p) const {
    const double width = std::sqrt(std::max(0.0, squaredWidth(q, p)));
    const double factor = options_.axis == PatternAxis::TwoTheta
                              ? 2 * kPi / options_.wavelength * cosineOf(q) * kRadiansPerDegree
                              : 1;
    return std::min(kLargestShift / kReachInWidths, factor * width / kWidthOfSigma);
  }
  double polarised(double q) const {
    if (options_.polarisation == Polarisation::None) return 1;
    const double sine = sineOf(q), cosine = 1 - 2 * sine * sine;
    const double a = std::pow(std::cos(options_.monochromator * kRadiansPerDegree), 2);
    return (1 + a * cosine * cosine) / (1 + a);
  }
  double absorbed(double q) const {
    const double sine = sineOf(q);
    return options_.absorption > 0 ? absorption_.at(1 - 2 * sine * sine) : 1;
  }
  double cosineOf(double q) const { return std::sqrt(1 - sineOf(q) * sineOf(q)); }
  double sineOf(double q) const { return std::clamp(q * options_.wavelength / (4 * kPi), 0.0, 1.0); }

  const MeasuredPattern& measured_;
  const VectorXd& grid_;
  const std::vector<PatternComponent>& components_;
  const PatternFitOptions& options_;
  CylinderAbsorption absorption_;
  MatrixXd background_;
  std::vector<AmplitudeCurves> curves_;
  double diameterStep_ = 0;  ///< pi/(2 diameter)
};

/// Weighted differences for Eigen's Levenberg-Marquardt. Its unknowns count steps from the start, which makes
/// their sizes alike.
class Differences {
 public:
  Differences(const PatternModel& model, const MeasuredPattern& measured, const PatternFitOptions& options)
      : model_(&model), measured_(&measured), options_(&options) {
    const double norm = weighted(measured.intensity).stableNorm();
    if (norm > 0) unit_ = norm;
  }
  int inputs() const { return static_cast<int>(options_->refined.size()); }
  int values() const { return static_cast<int>(measured_->x.size()); }

  void evaluate(const VectorXd& z, VectorXd& f) const {
    pass(options_->checkpoint);
    const MatrixXd columns = model_->allColumns(parameters(z));
    f = weighted(columns * model_->linear(columns) - measured_->intensity) / unit_;
  }
  PatternParameters parameters(const VectorXd& z) const {
    PatternParameters p = options_->start;
    for (Index i = 0; i < z.size(); ++i) {
      const PatternParameter which = options_->refined[static_cast<std::size_t>(i)];
      p(which) += z(i) * stepOf(which);
    }
    return p;
  }
  /// The step of a parameter that changes the pattern by a little.
  double stepOf(PatternParameter which) const {
    const bool angles = options_->axis == PatternAxis::TwoTheta;
    const std::array<double, kPatternParameters> usual = angles
                                                             ? std::array{1e-3, 0.1, 0.01, 0.01, 0.01, 0.01}
                                                             : std::array{1e-3, 0.1, 1e-3, 1e-4, 1e-4, 1e-4};
    const double start = which == kLattice || which == kZero ? 0 : std::abs(options_->start(which));
    return std::max(usual[which], 0.1 * start);
  }
  VectorXd weighted(const VectorXd& f) const { return f.cwiseQuotient(measured_->sigma); }
  /// Derivatives of the pattern by the refined parameters, where scales and background are kept.
  MatrixXd derivatives(const PatternParameters& p, const VectorXd& linear) const {
    MatrixXd d(values(), inputs());
    for (Index i = 0; i < d.cols(); ++i) {
      const PatternParameter which = options_->refined[static_cast<std::size_t>(i)];
      const double step = kStepOfDerivatives * stepOf(which) * 10;
      PatternParameters more = p, less = p;
      more(which) += step;
      less(which) -= step;
      const MatrixXd change = model_->components(more) - model_->components(less);
      d.col(i) = change * linear.head(model_->scales()) / (2 * step);
    }
    return d;
  }

 private:
  const PatternModel* model_;
  const MeasuredPattern* measured_;
  const PatternFitOptions* options_;
  /// The differences are counted in the norm of the pattern: the search limits its first step by their size,
  /// which must not depend on the unit of the intensities.
  double unit_ = 1;
};

void requireFit(const MeasuredPattern& measured, const std::vector<PatternComponent>& components,
                const PatternFitOptions& o) {
  const bool angles = o.axis == PatternAxis::TwoTheta;
  const bool ofAngles = o.polarisation != Polarisation::None || o.absorption > 0;
  if ((angles || ofAngles) && !(o.wavelength > 0))
    throw Error("a wavelength is needed for angles and for the factors of polarisation and absorption");
  if (angles && !(measured.x(0) > 0 && measured.x(measured.x.size() - 1) < 180))
    throw Error("angles 2 theta must be above 0 and below 180 degrees");
  if (!angles && !(measured.x(0) >= 0)) throw Error("momentum transfers must be 0 or more");
  if (!angles && ofAngles && measured.x(measured.x.size() - 1) > 4 * kPi / o.wavelength)
    throw Error("q above 4 pi/wavelength cannot have been measured with this wavelength");
  const auto unknowns = static_cast<Index>(o.refined.size() + components.size()) + o.background + 1;
  if (measured.x.size() <= unknowns)
    throw Error(fmt::format("found {} points of the pattern for {} parameters; expected more points",
                            measured.x.size(), unknowns));
}

/// Which columns of a Jacobian have an effect of their own: numbers of those that have it.
std::vector<Index> determined(const MatrixXd& jacobian) {
  const VectorXd norms = jacobian.colwise().norm();
  std::vector<Index> some;
  for (Index c = 0; c < norms.size(); ++c)
    if (norms(c) > 0 && std::isfinite(norms(c))) some.push_back(c);
  if (some.empty()) return some;
  const MatrixXd scaled = jacobian(Eigen::all, some) * norms(some).cwiseInverse().asDiagonal();
  const ColumnOrder order = columnOrder(scaled, 1e-7);
  std::vector<Index> independent;
  for (std::size_t c = 0; c < static_cast<std::size_t>(order.rank); ++c)
    independent.push_back(some[static_cast<std::size_t>(order.columns[c])]);
  std::sort(independent.begin(), independent.end());
  return independent;
}

/// Standard errors and correlations from the derivatives, (point, free parameter) in units of sigma, by the
/// places of the parameters among all of them.
void addErrors(const MatrixXd& jacobian, const std::vector<std::size_t>& places, PatternFit& fit) {
  const std::vector<Index> some = determined(jacobian);
  for (Index c = 0; c < jacobian.cols(); ++c)
    if (!std::binary_search(some.begin(), some.end(), c))
      fit.undetermined.push_back(fit.parameters[places[static_cast<std::size_t>(c)]].name);
  if (some.empty()) return;
  const VectorXd norms = jacobian(Eigen::all, some).colwise().norm();
  const MatrixXd scaled = jacobian(Eigen::all, some) * norms.cwiseInverse().asDiagonal();
  const MatrixXd inverse = inverseOf(scaled.transpose() * scaled);
  const VectorXd roots = inverse.diagonal().cwiseSqrt();
  fit.correlation = roots.cwiseInverse().asDiagonal() * inverse * roots.cwiseInverse().asDiagonal();
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto at = static_cast<Index>(i);
    FittedPatternParameter& p = fit.parameters[places[static_cast<std::size_t>(some[i])]];
    p.error = std::sqrt(fit.chiSquared) * roots(at) / norms(at);
    fit.free.push_back(p.name);
  }
}

/// Names the scales of 0 that would change nothing which the other parameters do not: structures that are
/// alike. `jacobian` has the derivatives by those, as in addErrors.
void addReplaceable(const MatrixXd& jacobian, const MatrixXd& scales, PatternFit& fit) {
  const std::size_t rank = determined(jacobian).size();
  for (Index c = 0; c < scales.cols(); ++c) {
    const FittedPatternParameter& p = fit.parameters[static_cast<std::size_t>(kPatternParameters + c)];
    if (p.value != 0) continue;
    MatrixXd with(jacobian.rows(), jacobian.cols() + 1);
    with << jacobian, scales.col(c);
    if (determined(with).size() == rank) fit.undetermined.push_back(p.name);
  }
}

std::string unitOf(PatternParameter which, PatternAxis axis) {
  const bool angles = axis == PatternAxis::TwoTheta;
  if (which == kLattice) return "1";
  if (which == kB) return "angstrom^2";
  if (which == kZero) return angles ? "degree" : "1/angstrom";
  if (angles) return "degree^2";
  return which == kU ? "1" : which == kV ? "1/angstrom" : "1/angstrom^2";
}

std::vector<FittedPatternParameter> parametersOf(const PatternParameters& p, const VectorXd& linear,
                                                 const std::vector<PatternComponent>& components,
                                                 const PatternFitOptions& options) {
  std::vector<FittedPatternParameter> list;
  for (int i = 0; i < kPatternParameters; ++i) {
    const auto which = static_cast<PatternParameter>(i);
    const bool refined =
        std::find(options.refined.begin(), options.refined.end(), which) != options.refined.end();
    list.push_back({patternParameterNames()[static_cast<std::size_t>(i)], unitOf(which, options.axis), p(i),
                    kNone, refined});
  }
  Index at = 0;
  for (const PatternComponent& c : components)
    list.push_back(
        {components.size() == 1 ? "scale" : "scale(" + c.name + ")", "1", linear(at++), kNone, true});
  for (int k = 0; at < linear.size(); ++k)
    list.push_back({fmt::format("background{}", k), "1", linear(at++), kNone, true});
  return list;
}

/// Sums of squares become the figures of merit.
void addFactors(const MeasuredPattern& m, const VectorXd& computed, Index unknowns, PatternFit& fit) {
  const double squares = (m.intensity - computed).cwiseQuotient(m.sigma).squaredNorm();
  const double measured = m.intensity.cwiseQuotient(m.sigma).squaredNorm();
  const double above = (m.intensity - fit.background).cwiseQuotient(m.sigma).squaredNorm();
  const auto freedom = static_cast<double>(m.x.size() - unknowns);
  fit.points = m.x.size();
  fit.chiSquared = squares / freedom;
  fit.rWeighted = std::sqrt(squares / measured);
  fit.rExpected = std::sqrt(freedom / measured);
  fit.rWithoutBackground = above > 0 ? std::sqrt(squares / above) : kNone;
}

/// The search for the parameters that are not linear.
PatternParameters searched(const Differences& differences, const PatternFitOptions& options,
                           PatternFit& fit) {
  VectorXd z = VectorXd::Zero(differences.inputs());
  fit.converged = true;
  if (z.size() == 0) return options.start;
  // The first step changes the pattern by no more than its size.
  fit.converged =
      minimiseSquareSum({.unknowns = differences.inputs(),
                         .differences = differences.values(),
                         .evaluate = [&](const VectorXd& at, VectorXd& f) { differences.evaluate(at, f); },
                         .step = kStepOfDerivatives},
                        {.change = 1e-8, .decrease = 1e-10, .reach = 1}, z);
  return differences.parameters(z);
}

}  // namespace

const std::array<const char*, kPatternParameters>& patternParameterNames() {
  static constexpr std::array<const char*, kPatternParameters> kNames{"lattice", "b", "zero", "u", "v", "w"};
  return kNames;
}

VectorXd momentaOfAxis(const VectorXd& x, const PatternFitOptions& options) {
  if (options.axis == PatternAxis::Q) return x.cwiseMax(0);
  return (4 * kPi / options.wavelength) *
         (x.array() * kRadiansPerDegree / 2).cwiseMax(0).cwiseMin(kPi / 2).sin();
}

VectorXd gridOfFit(const VectorXd& q, double diameter) {
  const double first = std::max(0.0, (q.minCoeff() - kLargestShift) * (1 - kLargestStrain));
  const double last = (q.maxCoeff() + kLargestShift) * (1 + kLargestStrain);
  const double steps = std::ceil(std::max(16.0, (last - first) * 8 * diameter / kPi));
  if (!(steps < kMostGridPoints))
    throw Error(
        fmt::format("particles of {:.4g} angstrom are too large to fit a pattern up to q = {:.4g} per "
                    "angstrom: it would take {:.3g} points",
                    diameter, q.maxCoeff(), steps));
  return VectorXd::LinSpaced(static_cast<Index>(steps) + 1, first, last);
}

PatternFit fitPattern(const MeasuredPattern& measured, const VectorXd& grid,
                      const std::vector<PatternComponent>& components, const PatternFitOptions& options) {
  requireFit(measured, components, options);
  const PatternModel model(measured, grid, components, options);
  const Differences differences(model, measured, options);
  PatternFit fit;
  const PatternParameters p = searched(differences, options, fit);
  const MatrixXd columns = model.allColumns(p);
  const VectorXd linear = model.linear(columns);
  if (!columns.allFinite() || columns.leftCols(model.scales()).isZero(0))
    throw Error("the model scatters nothing in the range of the pattern");
  fit.q = model.q(p);
  fit.withoutWidth = model.withoutWidth(p);
  fit.computed = columns * linear;
  fit.background = model.background() * linear.tail(model.background().cols());
  fit.parameters = parametersOf(p, linear, components, options);

  // Scales at 0 are at their bound: they have no error, and the others have the errors that they have alone.
  std::vector<Index> passive;
  std::vector<std::size_t> places;
  for (const PatternParameter which : options.refined) places.push_back(which);
  for (Index c = 0; c < linear.size(); ++c) {
    if (c < model.scales() && linear(c) == 0) continue;
    passive.push_back(c);
    places.push_back(static_cast<std::size_t>(kPatternParameters + c));
  }
  MatrixXd jacobian(measured.x.size(), static_cast<Index>(places.size()));
  jacobian << differences.derivatives(p, linear), columns(Eigen::all, passive);
  addFactors(measured, fit.computed, jacobian.cols(), fit);
  const VectorXd weights = measured.sigma.cwiseInverse();
  jacobian = weights.asDiagonal() * jacobian;
  addErrors(jacobian, places, fit);
  addReplaceable(jacobian, weights.asDiagonal() * columns.leftCols(model.scales()), fit);
  for (const PatternParameter which : options.refined)
    if ((which == kLattice && std::abs(p(which) - 1) >= kLargestStrain) ||
        (which == kB && (p(which) <= kSmallestB || p(which) >= kLargestBFactor)))
      fit.atLimit.emplace_back(patternParameterNames()[which]);
  return fit;
}

}  // namespace prophet

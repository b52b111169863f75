#include "atoms/properties/spinor_integrals.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "atoms/atom/atom_problem.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

using CellRule = boost::math::quadrature::gauss<double, 10>;

constexpr int kInner = 16, kDegree = 5;  // points and degree of the fit

// Functions that were found by the variational principle are the less accurate the closer they are to the
// nucleus, where they hold little charge: s1/2 as u^1.5.
double reliability(double u) { return std::pow(u, 1.5); }

/// Coefficients of the polynomial in u^step by weighted least squares, as a matrix that acts on values at
/// `u`.
Eigen::MatrixXd polynomialFit(const Eigen::VectorXd& u, double step) {
  const Eigen::VectorXd weight = u.unaryExpr(&reliability);
  Eigen::MatrixXd powers(u.size(), kDegree + 1);
  for (int m = 0; m <= kDegree; ++m) powers.col(m) = weight.array() * u.array().pow(m * step);
  const Eigen::MatrixXd inverse = pseudoInverse(powers);
  return inverse * weight.asDiagonal();
}

}  // namespace

RadialQuadrature::RadialQuadrature(const Range& range) : step_(range.step) {
  std::vector<double> ends = {range.join, range.end};
  for (const double radius : range.breaks) {
    if (radius > range.join && radius < range.end) ends.push_back(radius);
  }
  std::sort(ends.begin(), ends.end());
  std::vector<double> radii, weights;
  const Eigen::VectorXd u = Eigen::VectorXd::LinSpaced(kInner, 1.0 / kInner, 1);
  fit_ = polynomialFit(u, step_);
  for (const double share : u) radii.push_back(share * range.join);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double from = std::log(ends[i]), length = std::log(ends[i + 1]) - from;
    const int panels = std::max(1, static_cast<int>(std::ceil(length / range.panel)));
    const double half = length / panels / 2;
    for (int p = 0; p < panels; ++p) {
      const double middle = from + (2 * p + 1) * half;
      for (std::size_t k = 0; k < CellRule::abscissa().size(); ++k)
        for (const double node : {-CellRule::abscissa()[k], CellRule::abscissa()[k]}) {
          radii.push_back(std::exp(middle + half * node));
          weights.push_back(half * CellRule::weights()[k] * radii.back());
        }
    }
  }
  radii_ = Eigen::Map<Eigen::VectorXd>(radii.data(), static_cast<Eigen::Index>(radii.size()));
  weights_ = Eigen::Map<Eigen::VectorXd>(weights.data(), static_cast<Eigen::Index>(weights.size()));
}

// With u = r/join the function is u^power sum_m c_m u^(m step) there.
double RadialQuadrature::integral(const Eigen::Ref<const Eigen::ArrayXd>& values, double power) const {
  const Eigen::ArrayXd u = radii_.head(kInner).array() / radii_[kInner - 1];
  const Eigen::VectorXd c = fit_ * (values.head(kInner) / u.pow(power)).matrix();
  double below = 0;
  for (int m = 0; m <= kDegree; ++m) below += c[m] / (power + 1 + m * step_);
  return radii_[kInner - 1] * below + (values.tail(weights_.size()) * weights_.array()).sum();
}

namespace {

constexpr double kPanel = 0.25;       // in ln r: enough for n up to kUsualN
constexpr double kUsualN = 12;        // the phase of a Rydberg state grows by about n per unit of ln r
constexpr double kJoinPoint = 0.1;    // bohr times Z: where the limit's functions around a point are joined
constexpr double kJoinFinite = 3e-3;  // times the rms radius, for nuclei of finite size

// Functions of the limit begin as the nucleus has it, Gaussians always with integral powers; those are powers
// up to smallestRadius() only.
bool isSingular(const AtomProblem& problem, const Result& result) {
  return result.limit && problem.nucleus.isPoint();
}

double joinOf(const AtomProblem& problem, const Result& result) {
  const double smallest = result.wavefunction->smallestRadius();
  if (isSingular(problem, result)) return std::max(smallest, kJoinPoint / problem.nucleus.charge);
  const double inside = kJoinFinite * problem.nucleus.rms;
  if (result.limit) return std::max(smallest, inside);
  return inside > 0 ? std::min(smallest, inside) : smallest;
}

RadialQuadrature::Range rangeOf(const AtomProblem& problem, const Result& result) {
  if (!result.wavefunction)
    throw Error(
        "the result has no radial functions and therefore no properties; let the calculation converge and "
        "keep its spinors");
  RadialQuadrature::Range range;
  range.join = joinOf(problem, result);
  range.step = isSingular(problem, result) ? 1 : 2;
  range.end = result.wavefunction->largestRadius();
  if (const auto surface = problem.nucleus.surface(); surface && surface->width == 0)
    range.breaks = {surface->radius};
  double largestN = kUsualN;
  for (const Spinor& s : result.spinors) largestN = std::max(largestN, static_cast<double>(s.n));
  range.panel = kPanel * kUsualN / largestN;
  return range;
}

double squarePower(LeadingPowers p) { return 2 * std::min(p.large, p.small); }

}  // namespace

SpinorIntegrals::SpinorIntegrals(const AtomProblem& problem, const Result& result)
    : spinors_(result.spinors), quadrature_(rangeOf(problem, result)) {
  const Eigen::VectorXd& r = quadrature_.radii();
  large_.resize(r.size(), count());
  small_.resize(r.size(), count());
  const std::vector<RadialFunctions> all = result.wavefunction->allRadial(r);
  for (int i = 0; i < count(); ++i) {
    const RadialFunctions& f = all[static_cast<std::size_t>(i)];
    large_.col(i) = f.large.array();
    small_.col(i) = f.small.array();
    const Symmetry s = spinors_[i].symmetry;
    const double c = lightSpeedOf(problem.hamiltonian);
    const bool scalar = problem.hamiltonian.isKoellingHarmon();
    exact_.push_back(leadingPowers(problem.nucleus, s, c, scalar));
    own_.push_back(isSingular(problem, result) || std::isinf(c) || scalar ? exact_.back()
                                                                          : analyticPowers(s));
  }
}

bool SpinorIntegrals::exists(int index, double k) const { return k + 1 + squarePower(exact_[index]) > 0; }

SpinorIntegrals::Weight SpinorIntegrals::weight(const std::function<double(double)>& function,
                                                double power) const {
  return {quadrature_.radii().unaryExpr(function).array(), power};
}

SpinorIntegrals::Weight SpinorIntegrals::powerWeight(int k) const {
  return weight([k](double r) { return std::pow(r, k); }, k);
}

double SpinorIntegrals::density(int index, const Weight& weight) const {
  return between(index, index, weight);
}

double SpinorIntegrals::between(int i, int j, const Weight& weight) const {
  return quadrature_.integral(
      weight.values * (large_.col(i) * large_.col(j) + small_.col(i) * small_.col(j)),
      weight.power + std::min(own_[i].large + own_[j].large, own_[i].small + own_[j].small));
}

double SpinorIntegrals::total(const Weight& weight) const {
  double sum = 0;
  for (int i = 0; i < count(); ++i) {
    if (spinors_[i].occupation > 0) sum += spinors_[i].occupation * density(i, weight);
  }
  return sum;
}

bool SpinorIntegrals::productExists(int index, int k) const {
  return k + 1 + exact_[index].large + exact_[index].small > 0;
}

double SpinorIntegrals::product(int index, int k) const { return 0.5 * productBetween(index, index, k); }

double SpinorIntegrals::productBetween(int i, int j, int k) const {
  return quadrature_.integral(
      powerWeight(k).values * (large_.col(i) * small_.col(j) + small_.col(i) * large_.col(j)),
      k + std::min(own_[i].large + own_[j].small, own_[i].small + own_[j].large));
}

}  // namespace prophet

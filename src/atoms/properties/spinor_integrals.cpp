#include "atoms/properties/spinor_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/atom/light_speed.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kPanel = 0.25;       // in ln r: enough for n up to kUsualN
constexpr double kUsualN = 12;        // the phase of a Rydberg state grows by about n per unit of ln r
constexpr double kJoinPoint = 0.1;    // bohr times Z: where the limit's functions around a point are joined
constexpr double kJoinFinite = 3e-3;  // times the rms radius, for nuclei of finite size

// Functions of the limit begin as the nucleus has it, Gaussians always with integral powers; those are powers
// up to smallestRadius() only.
bool isSingular(const AtomProblem& problem, const Result& result) {
  return result.limit && problem.nucleus.model == NuclearModel::Point;
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
        "the result holds no radial functions, so that there are no properties; let the calculation "
        "converge and keep its spinors");
  RadialQuadrature::Range range;
  range.join = joinOf(problem, result);
  range.step = isSingular(problem, result) ? 1 : 2;
  range.end = result.wavefunction->largestRadius();
  if (problem.nucleus.model == NuclearModel::Sphere) range.breaks = {problem.nucleus.sphereRadius};
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
  for (int i = 0; i < count(); ++i) {
    const RadialFunctions f = result.wavefunction->radial(i, r);
    large_.col(i) = f.large.array();
    small_.col(i) = f.small.array();
    const Symmetry s = spinors_[i].symmetry;
    const double c = lightSpeedOf(problem.hamiltonian);
    exact_.push_back(leadingPowers(problem.nucleus, s, c));
    own_.push_back(isSingular(problem, result) || std::isinf(c) ? exact_.back() : analyticPowers(s));
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
  return quadrature_.integral(weight.values * (large_.col(i) * large_.col(j) + small_.col(i) * small_.col(j)),
                              weight.power + squarePower(own_[i]));
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

double SpinorIntegrals::product(int index, int k) const {
  return quadrature_.integral(powerWeight(k).values * large_.col(index) * small_.col(index),
                              k + own_[index].large + own_[index].small);
}

}  // namespace prophet

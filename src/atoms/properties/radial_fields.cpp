#include "atoms/properties/radial_fields.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {

template <>
const Names<PotentialPart>& namesOf() {
  static const Names<PotentialPart> kNames = {{"nuclear", PotentialPart::Nuclear},
                                              {"coulomb", PotentialPart::Coulomb},
                                              {"xc", PotentialPart::ExchangeCorrelation},
                                              {"effective", PotentialPart::Effective}};
  return kNames;
}

namespace {

constexpr int kNodes = 12;  // of a panel
using PanelRule = boost::math::quadrature::gauss<double, kNodes>;
constexpr double kPanelWidth = 0.125;  // in ln r
constexpr double kNoDensity = 1e-200;  // its logarithm has no derivative that means anything
constexpr double kNoGradient = 1e-14;  // functionals are cut off below about 1e-15

constexpr int kReach = 4;       // points of a difference on either side
constexpr double kStep = 0.02;  // in ln r
using Weights = std::array<double, 2 * kReach + 1>;
// Central differences of eighth order.
constexpr Weights kSlope = {1.0 / 280, -4.0 / 105, 1.0 / 5,   -4.0 / 5,  0,
                            4.0 / 5,   -1.0 / 5,   4.0 / 105, -1.0 / 280};
constexpr Weights kCurvature = {-1.0 / 560, 8.0 / 315, -1.0 / 5,  8.0 / 5,   -205.0 / 72,
                                8.0 / 5,    -1.0 / 5,  8.0 / 315, -1.0 / 560};

/// Every radius with `reach` neighbours on either side, a column for each radius.
Eigen::MatrixXd withNeighbours(const Eigen::VectorXd& r, int reach) {
  Eigen::MatrixXd all(2 * reach + 1, r.size());
  for (int k = -reach; k <= reach; ++k) all.row(k + reach) = std::exp(k * kStep) * r.transpose();
  return all;
}

/// Differences of the rows of a column around row `middle`.
double difference(const Weights& weights, const Eigen::Ref<const Eigen::VectorXd>& column, int middle) {
  double sum = 0;
  for (int k = -kReach; k <= kReach; ++k) sum += weights[k + kReach] * column[middle + k];
  return sum;
}

/// d ln n/d ln r and the second derivative in the middle of values of n; 0 where there is no density.
struct LogSlopes {
  double first = 0, second = 0;
};
LogSlopes logSlopes(const Eigen::Ref<const Eigen::VectorXd>& n, int middle) {
  const auto values = n.segment(middle - kReach, 2 * kReach + 1);
  if (!(values.minCoeff() > kNoDensity) || !std::isfinite(values.maxCoeff())) return {};
  const Eigen::VectorXd logs = values.array().log();
  return {difference(kSlope, logs, kReach) / kStep, difference(kCurvature, logs, kReach) / (kStep * kStep)};
}

/// Nodes of the rule in ascending order with weights, on [-1, 1].
struct PanelNodes {
  std::array<double, kNodes> x{}, weight{};
  PanelNodes() {
    for (int i = 0; i < kNodes / 2; ++i) {
      x[kNodes / 2 + i] = PanelRule::abscissa()[i];
      x[kNodes / 2 - 1 - i] = -PanelRule::abscissa()[i];
      weight[kNodes / 2 + i] = weight[kNodes / 2 - 1 - i] = PanelRule::weights()[i];
    }
  }
};
const PanelNodes& panelNodes() {
  static const PanelNodes kTable;
  return kTable;
}

/// Legendre polynomials of degree 0 .. kNodes at x.
std::array<double, kNodes + 1> legendre(double x) {
  std::array<double, kNodes + 1> p{};
  p[0] = 1;
  p[1] = x;
  for (int l = 1; l < kNodes; ++l) p[l + 1] = ((2 * l + 1) * x * p[l] - l * p[l - 1]) / (l + 1);
  return p;
}

Eigen::VectorXd legendreCoefficients(const Eigen::Ref<const Eigen::VectorXd>& values) {
  Eigen::VectorXd c = Eigen::VectorXd::Zero(kNodes);
  for (int i = 0; i < kNodes; ++i) {
    const auto p = legendre(panelNodes().x[i]);
    for (int l = 0; l < kNodes; ++l) c[l] += (l + 0.5) * panelNodes().weight[i] * p[l] * values[i];
  }
  return c;
}

/// Integral of the series from -1 to x: that of P_l is (P_{l+1} - P_{l-1})/(2 l + 1).
double integralTo(const Eigen::VectorXd& c, double x) {
  const auto p = legendre(x);
  double sum = c[0] * (x + 1);
  for (int l = 1; l < kNodes; ++l) sum += c[l] * (p[l + 1] - p[l - 1]) / (2 * l + 1);
  return sum;
}

}  // namespace

RadialFields::RadialFields(const AtomProblem& problem, const Result& result)
    : problem_(problem),
      density_(result),
      smallest_(result.wavefunction->smallestRadius()),
      largest_(result.wavefunction->largestRadius()) {
  // A result of a program with libxc may have been read by one without.
  if (problem.hamiltonian.isKohnSham() && hasFunctionals())
    functional_ =
        std::make_shared<const Functional>(problem.hamiltonian.functional, lightSpeedOf(problem.hamiltonian));
  fillPanels();
}

void RadialFields::fillPanels() {
  start_ = std::log(smallest_);
  const double length = std::log(largest_) - start_;
  const int count = static_cast<int>(std::ceil(length / kPanelWidth));
  width_ = length / count;
  Eigen::VectorXd r(count * kNodes);
  for (int i = 0; i < r.size(); ++i)
    r[i] = std::exp(start_ + width_ * (i / kNodes + 0.5 * (1 + panelNodes().x[i % kNodes])));
  const Eigen::VectorXd inverse = density_.radial(r), electrons = inverse.cwiseProduct(r);
  // Below, the number of electrons inside r is a power of r.
  power_ = std::log(electrons[kNodes - 1] / electrons[0]) / std::log(r[kNodes - 1] / r[0]);
  if (!(power_ > 0.1)) power_ = 3;
  innermost_ = electrons[0] / power_ * std::pow(smallest_ / r[0], power_);
  panels_.resize(static_cast<std::size_t>(count));
  double inside = innermost_;
  for (int i = 0; i < count; ++i) {
    Panel& panel = panels_[static_cast<std::size_t>(i)];
    panel.electrons = 0.5 * width_ * legendreCoefficients(electrons.segment(i * kNodes, kNodes));
    panel.inverse = 0.5 * width_ * legendreCoefficients(inverse.segment(i * kNodes, kNodes));
    panel.inside = inside;
    inside += 2 * panel.electrons[0];
  }
  double outside = 0;
  for (int i = count - 1; i >= 0; --i) {
    panels_[static_cast<std::size_t>(i)].outside = outside;
    outside += 2 * panels_[static_cast<std::size_t>(i)].inverse[0];
  }
}

RadialFields::DensityAndSlopes RadialFields::density(const Eigen::VectorXd& r) const {
  const Eigen::MatrixXd radii = withNeighbours(r, kReach);
  const Eigen::VectorXd all = density_.at(radii.reshaped());
  const auto n = all.reshaped(radii.rows(), radii.cols());
  DensityAndSlopes d{n.row(kReach), Eigen::VectorXd::Zero(r.size()), Eigen::VectorXd::Zero(r.size())};
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    if (!(r[i] > 0)) continue;
    const LogSlopes s = logSlopes(n.col(i), kReach);
    d.slope[i] = d.value[i] * s.first / r[i];
    d.curvature[i] = d.value[i] * (s.second - s.first + s.first * s.first) / (r[i] * r[i]);
  }
  return d;
}

bool RadialFields::has(PotentialPart part) const {
  if (part == PotentialPart::ExchangeCorrelation) return functional_ != nullptr;
  if (part == PotentialPart::Effective) return functional_ && functional_->exactExchange() == 0;
  return true;
}

Eigen::VectorXd RadialFields::potential(PotentialPart part, const Eigen::VectorXd& r) const {
  if (!has(part))
    throw Error(part == PotentialPart::Effective
                    ? "there is no local effective potential with exact exchange; compute the atom with a "
                      "functional that has none, such as functional='pbe', or ask for another potential"
                    : "there is no potential of exchange and correlation without a functional; compute the "
                      "atom with one, such as functional='pbe'");
  const auto of = [&](PotentialPart one) { return potential(one, r); };
  switch (part) {
    case PotentialPart::Nuclear: {
      const ChargedShell& shell = problem_.hamiltonian.shell;
      return r.unaryExpr([&](double radius) {
        const double outside = shell.any() ? -shell.charge / std::max(radius, shell.radius) : 0.0;
        return problem_.nucleus.potential(std::max(radius, 1e-100)) + outside;
      });
    }
    case PotentialPart::Coulomb:
      return coulomb(r);
    case PotentialPart::ExchangeCorrelation:
      return exchangeCorrelation(r);
    case PotentialPart::Effective:
      break;
  }
  return of(PotentialPart::Nuclear) + of(PotentialPart::Coulomb) + of(PotentialPart::ExchangeCorrelation);
}

// (electrons inside r)/r + integral over r' > r of (radial density)/r'.
Eigen::VectorXd RadialFields::coulomb(const Eigen::VectorXd& r) const {
  const double all = panels_.back().inside + 2 * panels_.back().electrons[0];
  const double outsideAll = panels_.front().outside + 2 * panels_.front().inverse[0];
  return r.unaryExpr([&](double radius) {
    if (radius >= largest_) return all / radius;
    if (radius <= smallest_) {
      // The number of electrons inside grows as r^power.
      const double share = std::pow(radius / smallest_, power_ - 1);
      const double within = innermost_ / smallest_;
      return outsideAll + within * (power_ > 1 ? share + power_ / (power_ - 1) * (1 - share) : 1.0);
    }
    const double x = (std::log(radius) - start_) / width_;
    const auto i = std::min(static_cast<std::size_t>(x), panels_.size() - 1);
    const double at = 2 * (x - static_cast<double>(i)) - 1;
    const Panel& panel = panels_[i];
    return (panel.inside + integralTo(panel.electrons, at)) / radius + panel.outside + 2 * panel.inverse[0] -
           integralTo(panel.inverse, at);
  });
}

Eigen::VectorXd RadialFields::exchangeCorrelation(const Eigen::VectorXd& r) const {
  // At the nucleus the limit, where it is finite.
  const Eigen::VectorXd radii = r.cwiseMax(1e-2 * smallest_);
  if (functional_->needsGradient()) return withGradient(radii);
  const Eigen::VectorXd n = density_.at(radii);
  return functional_->at(n, Eigen::VectorXd::Zero(n.size())).slope;
}

// df/dn - (1/r^2) d(r^2 g)/dr with g = 2 df/dsigma dn/dr.
Eigen::VectorXd RadialFields::withGradient(const Eigen::VectorXd& r) const {
  const Eigen::MatrixXd radii = withNeighbours(r, 2 * kReach);
  const Eigen::VectorXd all = density_.at(radii.reshaped());
  const auto n = all.reshaped(radii.rows(), radii.cols());
  const int points = 2 * kReach + 1;
  Eigen::MatrixXd middle = n.middleRows(kReach, points), slope(points, r.size());
  for (Eigen::Index i = 0; i < r.size(); ++i)
    for (int k = 0; k < points; ++k)
      slope(k, i) = middle(k, i) * logSlopes(n.col(i), kReach + k).first / radii(kReach + k, i);
  const Eigen::VectorXd flat = middle.reshaped(), sigma = slope.reshaped().cwiseAbs2();
  const FunctionalValues f = functional_->at(flat, sigma);
  Eigen::VectorXd potential = Eigen::VectorXd::Zero(r.size());
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    if (!(middle.col(i).minCoeff() > kNoGradient)) continue;
    const Eigen::VectorXd g = 2 * f.slopeOfSigma.segment(i * points, points).cwiseProduct(slope.col(i));
    potential[i] =
        f.slope[i * points + kReach] - (2 * g[kReach] + difference(kSlope, g, kReach) / kStep) / r[i];
  }
  return potential;
}

}  // namespace prophet

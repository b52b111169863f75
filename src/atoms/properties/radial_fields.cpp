#include "atoms/properties/radial_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "atoms/atom/configuration.hpp"
#include "atoms/functional/functional_slopes.hpp"
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

constexpr int kPanelNodes = 12;  // of a panel
using PanelRule = boost::math::quadrature::gauss<double, kPanelNodes>;
constexpr double kPanelWidth = 0.125;  // in ln r
constexpr double kNoDensity = 1e-200;  // its logarithm has no derivative that means anything
constexpr double kNoGradient = 1e-14;  // functionals are cut off below about 1e-15

constexpr int kReach = 4;       // points of a difference on either side
constexpr double kStep = 0.02;  // in ln r
using StencilWeights = std::array<double, 2 * kReach + 1>;
// Central differences of eighth order.
constexpr StencilWeights kSlope = {1.0 / 280, -4.0 / 105, 1.0 / 5,   -4.0 / 5,  0,
                                   4.0 / 5,   -1.0 / 5,   4.0 / 105, -1.0 / 280};
constexpr StencilWeights kCurvature = {-1.0 / 560, 8.0 / 315, -1.0 / 5,  8.0 / 5,   -205.0 / 72,
                                       8.0 / 5,    -1.0 / 5,  8.0 / 315, -1.0 / 560};

/// Every radius with `reach` neighbours on either side, a column for each radius.
Eigen::MatrixXd withNeighbours(const Eigen::VectorXd& r, int reach) {
  Eigen::MatrixXd all(2 * reach + 1, r.size());
  for (int k = -reach; k <= reach; ++k) all.row(k + reach) = std::exp(k * kStep) * r.transpose();
  return all;
}

/// Differences of the rows of a column around row `middle`.
double difference(const StencilWeights& weights, const Eigen::Ref<const Eigen::VectorXd>& column,
                  int middle) {
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
  std::array<double, kPanelNodes> x{}, weight{};
  PanelNodes() {
    for (int i = 0; i < kPanelNodes / 2; ++i) {
      x[kPanelNodes / 2 + i] = PanelRule::abscissa()[i];
      x[kPanelNodes / 2 - 1 - i] = -PanelRule::abscissa()[i];
      weight[kPanelNodes / 2 + i] = weight[kPanelNodes / 2 - 1 - i] = PanelRule::weights()[i];
    }
  }
};
const PanelNodes& panelNodes() {
  static const PanelNodes kTable;
  return kTable;
}

/// Legendre polynomials of degree 0 .. kPanelNodes at x.
std::array<double, kPanelNodes + 1> legendre(double x) {
  std::array<double, kPanelNodes + 1> p{};
  p[0] = 1;
  p[1] = x;
  for (int l = 1; l < kPanelNodes; ++l) p[l + 1] = ((2 * l + 1) * x * p[l] - l * p[l - 1]) / (l + 1);
  return p;
}

Eigen::VectorXd legendreCoefficients(const Eigen::Ref<const Eigen::VectorXd>& values) {
  Eigen::VectorXd c = Eigen::VectorXd::Zero(kPanelNodes);
  for (int i = 0; i < kPanelNodes; ++i) {
    const auto p = legendre(panelNodes().x[i]);
    for (int l = 0; l < kPanelNodes; ++l) c[l] += (l + 0.5) * panelNodes().weight[i] * p[l] * values[i];
  }
  return c;
}

/// Integral of the series from -1 to x: that of P_l is (P_{l+1} - P_{l-1})/(2 l + 1).
double integralTo(const Eigen::VectorXd& c, double x) {
  const auto p = legendre(x);
  double sum = c[0] * (x + 1);
  for (int l = 1; l < kPanelNodes; ++l) sum += c[l] * (p[l + 1] - p[l - 1]) / (2 * l + 1);
  return sum;
}

/// The spin shares (openSpinShares) of all occupied spinors, by symmetry and number; 0 of closed ones.
Eigen::VectorXd spinSharesOf(const Configuration& configuration) {
  const Eigen::VectorXd open = openSpinShares(configuration);
  std::vector<double> shares;
  Eigen::Index next = 0;
  for (const SymmetryOccupation& s : configuration.symmetries)
    for (const SpinorOccupation& spinor : s.spinors) shares.push_back(spinor.open ? open[next++] : 0.0);
  return Eigen::Map<Eigen::VectorXd>(shares.data(), static_cast<Eigen::Index>(shares.size()));
}

}  // namespace

RadialFields::RadialFields(const AtomProblem& problem, const Result& result)
    : problem_(problem),
      density_(result),
      smallest_(result.wavefunction->smallestRadius()),
      largest_(result.wavefunction->largestRadius()) {
  // A result of a program with libxc may have been read by one without.
  if (problem.hamiltonian.isKohnSham() && hasFunctionals()) functional_ = functionalOf(problem.hamiltonian);
  spinShares_ = Eigen::VectorXd::Zero(result.wavefunction->count());
  if (isPolarised()) {
    spinShares_ = spinSharesOf(problem.configuration);
    std::vector<double> down;
    for (std::size_t i = 0; i < result.spinors.size(); ++i)
      down.push_back(0.5 * (1 - spinShares_[static_cast<Eigen::Index>(i)]) * result.spinors[i].occupation);
    down_.emplace(result.wavefunction, std::move(down));
  }
  fillPanels();
}

void RadialFields::fillPanels() {
  start_ = std::log(smallest_);
  const double length = std::log(largest_) - start_;
  const int count = static_cast<int>(std::ceil(length / kPanelWidth));
  width_ = length / count;
  Eigen::VectorXd r(count * kPanelNodes);
  for (int i = 0; i < r.size(); ++i)
    r[i] = std::exp(start_ + width_ * (i / kPanelNodes + 0.5 * (1 + panelNodes().x[i % kPanelNodes])));
  const Eigen::VectorXd inverse = density_.radial(r), electrons = inverse.cwiseProduct(r);
  // Below, the number of electrons inside r is a power of r.
  power_ = std::log(electrons[kPanelNodes - 1] / electrons[0]) / std::log(r[kPanelNodes - 1] / r[0]);
  if (!(power_ > 0.1)) power_ = 3;
  innermost_ = electrons[0] / power_ * std::pow(smallest_ / r[0], power_);
  panels_.resize(static_cast<std::size_t>(count));
  double inside = innermost_;
  for (int i = 0; i < count; ++i) {
    Panel& panel = panels_[static_cast<std::size_t>(i)];
    panel.electrons = 0.5 * width_ * legendreCoefficients(electrons.segment(i * kPanelNodes, kPanelNodes));
    panel.inverse = 0.5 * width_ * legendreCoefficients(inverse.segment(i * kPanelNodes, kPanelNodes));
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

std::string RadialFields::objection(PotentialPart part) const {
  if (!hasExchange(part)) return "";
  const bool whole = part == PotentialPart::Effective;
  if (functional_ && functional_->needsKinetic())
    return fmt::format(
        "the potential of functional='{}', a meta-GGA, acts on the derivatives of the orbitals too and is no "
        "function of r; compute the atom with a functional of the density and its gradient, such as "
        "functional='pbe'",
        functional_->name());
  if (whole && (!functional_ || functional_->exactExchange() != 0))
    return "there is no local effective potential with exact exchange; compute the atom with a functional "
           "that "
           "has none, such as functional='pbe', or ask for another potential";
  if (!functional_)
    return "there is no potential of exchange and correlation without a functional; compute the atom with "
           "one, such as functional='pbe'";
  return "";
}

Eigen::VectorXd RadialFields::potential(PotentialPart part, const Eigen::VectorXd& r,
                                        std::optional<double> spin) const {
  if (!has(part)) throw Error(objection(part));
  if (isPolarised() && hasExchange(part) && !spin)
    throw Error(
        "with spin='polarised' electrons of both spins have potentials of exchange and correlation of "
        "their own; say whether up or down, or whose spinor's");
  const auto of = [&](PotentialPart one) { return potential(one, r, spin); };
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
    case PotentialPart::ExchangeCorrelation: {
      const Eigen::MatrixXd bySpin = exchangeCorrelation(r);
      if (bySpin.rows() == 1) return bySpin.row(0);
      return 0.5 * (1 + *spin) * bySpin.row(0) + 0.5 * (1 - *spin) * bySpin.row(1);
    }
    case PotentialPart::Effective:
      break;
  }
  return of(PotentialPart::Nuclear) + of(PotentialPart::Coulomb) + of(PotentialPart::ExchangeCorrelation);
}

std::vector<RadialFields::NamedPotential> RadialFields::potentials(const Eigen::VectorXd& r) const {
  std::vector<NamedPotential> all;
  for (const auto& [name, part] : namesOf<PotentialPart>()) {
    if (!has(part)) continue;
    const std::string whole = name + "_potential";
    if (!isPolarised() || !hasExchange(part)) {
      all.push_back({whole, potential(part, r)});
    } else {
      all.push_back({whole + "_up", potential(part, r, 1.0)});
      all.push_back({whole + "_down", potential(part, r, -1.0)});
    }
  }
  return all;
}

std::string RadialFields::leftOut() const {
  if (!functional_) return "";
  std::string names;
  for (const auto& [name, part] : namesOf<PotentialPart>())
    if (!has(part)) names += (names.empty() ? "" : ", ") + name + "_potential";
  return names.empty() ? "" : names + ": " + objection(PotentialPart::Effective);
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

/// A row of all electrons, or of each spin.
Eigen::MatrixXd RadialFields::densities(const Eigen::VectorXd& r) const {
  const Eigen::VectorXd all = density_.at(r);
  if (!down_) return all.transpose();
  Eigen::MatrixXd both(2, r.size());
  both.row(1) = down_->at(r);
  both.row(0) = all.transpose() - both.row(1);
  return both;
}

/// Rows as densities() has them.
Eigen::MatrixXd RadialFields::exchangeCorrelation(const Eigen::VectorXd& r) const {
  // At the nucleus the limit, where it is finite.
  const Eigen::VectorXd radii = r.cwiseMax(1e-2 * smallest_);
  if (functional_->needsGradient()) return withGradient(radii);
  return functional_->slopesAt({densities(radii), {}, {}}).density;
}

// df/dn - (1/r^2) d(r^2 g)/dr of each spin, g = df/d(dn/dr).
Eigen::MatrixXd RadialFields::withGradient(const Eigen::VectorXd& r) const {
  const Eigen::MatrixXd radii = withNeighbours(r, 2 * kReach);
  const Eigen::MatrixXd all = densities(radii.reshaped());
  const int points = 2 * kReach + 1;
  Eigen::MatrixXd middle(all.rows(), points * r.size()), rise = middle;
  for (Eigen::Index s = 0; s < all.rows(); ++s) {
    const Eigen::MatrixXd n = all.row(s).reshaped(radii.rows(), radii.cols());
    for (Eigen::Index i = 0; i < r.size(); ++i)
      for (int k = 0; k < points; ++k) {
        middle(s, i * points + k) = n(kReach + k, i);
        rise(s, i * points + k) =
            n(kReach + k, i) * logSlopes(n.col(i), kReach + k).first / radii(kReach + k, i);
      }
  }
  const FunctionalSlopes f = functional_->slopesAt({middle, sigmaOf(rise), {}});
  const Eigen::MatrixXd slopes = slopesOfRise(f.sigma, rise);
  Eigen::MatrixXd potential = Eigen::MatrixXd::Zero(all.rows(), r.size());
  for (Eigen::Index s = 0; s < all.rows(); ++s) {
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      if (!(middle.row(s).segment(i * points, points).minCoeff() > kNoGradient)) continue;
      const Eigen::VectorXd g = slopes.row(s).segment(i * points, points);
      potential(s, i) =
          f.density(s, i * points + kReach) - (2 * g[kReach] + difference(kSlope, g, kReach) / kStep) / r[i];
    }
  }
  return potential;
}

}  // namespace prophet

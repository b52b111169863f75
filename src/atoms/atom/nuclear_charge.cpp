#include "atoms/atom/nuclear_charge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

using constants::kPi;

class Point : public NuclearCharge {
 public:
  Point() : NuclearCharge(NuclearModel::Point, "point") {}
  std::optional<NuclearAttraction> attraction(const Nucleus&) const override {
    return NuclearAttraction{AttractionForm::Point, 0};
  }
};

/// Evenly charged.
class Sphere : public NuclearCharge {
 public:
  Sphere()
      : NuclearCharge(NuclearModel::Sphere, "sphere", {{"radius_bohr", &Nucleus::sphereRadius}},
                      {{"rnuc", "sphere radius", &NucleusRequest::radius, &Nucleus::sphereRadius}}) {}

  double potential(const Nucleus& n, double r) const override {
    const double x = r / n.sphereRadius;
    if (x < 1.0) return -n.charge / (2.0 * n.sphereRadius) * (3.0 - x * x);
    return NuclearCharge::potential(n, r);
  }
  double chargeDensity(const Nucleus& n, double r) const override {
    return r > n.sphereRadius ? 0 : 3 * n.charge / (4 * kPi * std::pow(n.sphereRadius, 3));
  }
  double potentialSlope(const Nucleus& n, double r) const override {
    const double x = r / n.sphereRadius;  // <r^2> = 3/5 R^2
    return x > 1 ? 0 : 5 * n.charge * (1 - x * x) / (4 * std::pow(n.sphereRadius, 3));
  }
  std::optional<NuclearAttraction> attraction(const Nucleus& n) const override {
    return NuclearAttraction{AttractionForm::Sphere, n.sphereRadius};
  }
  std::optional<NuclearSurface> surface(const Nucleus& n) const override {
    return NuclearSurface{n.sphereRadius, 0};
  }
  UnitDensity unitDensity(const Nucleus& n) const override {
    const double norm = 3.0 / (4.0 * kPi * std::pow(n.sphereRadius, 3));
    return {[=](double) { return norm; }, {0.0, n.sphereRadius}};
  }
  std::optional<double> rmsOf(const NucleusRequest& request) const override {
    if (!request.radius) return std::nullopt;
    return std::sqrt(0.6) * *request.radius;
  }
  void complete(const NucleusRequest& request, Nucleus& n) const override {
    n.sphereRadius = request.radius ? *request.radius : std::sqrt(5.0 / 3.0) * n.rms;
  }
  std::string describe(const Nucleus& n) const override {
    return fmt::format(", radius {:.10e} bohr", n.sphereRadius);
  }
};

class Gaussian : public NuclearCharge {
 public:
  Gaussian()
      : NuclearCharge(NuclearModel::Gaussian, "Gaussian", {{"exponent", &Nucleus::exponent}},
                      {{"alpha", "Gaussian exponent", &NucleusRequest::exponent, &Nucleus::exponent}}) {}

  double potential(const Nucleus& n, double r) const override {
    return -n.charge * std::erf(std::sqrt(n.exponent) * r) / r;
  }
  double chargeDensity(const Nucleus& n, double r) const override {
    return n.charge * std::pow(n.exponent / kPi, 1.5) * std::exp(-n.exponent * r * r);
  }
  // A Gaussian that widens obeys the diffusion equation, d rho/d<r^2> = (Laplacian rho)/6, so that its
  // potential changes by 2 pi/3 of the density.
  double potentialSlope(const Nucleus& n, double r) const override {
    return 2 * kPi / 3 * chargeDensity(n, r);
  }
  std::optional<NuclearAttraction> attraction(const Nucleus& n) const override {
    return NuclearAttraction{AttractionForm::Gaussian, n.exponent};
  }
  UnitDensity unitDensity(const Nucleus& n) const override {
    const double norm = std::pow(n.exponent / kPi, 1.5), exponent = n.exponent;
    const double unit = 1.0 / std::sqrt(exponent);
    return {[=](double r) { return norm * std::exp(-exponent * r * r); },
            {0.0, unit, 2.5 * unit, 6.3 * unit}};
  }
  std::optional<double> rmsOf(const NucleusRequest& request) const override {
    if (!request.exponent) return std::nullopt;
    return std::sqrt(1.5 / *request.exponent);
  }
  void complete(const NucleusRequest& request, Nucleus& n) const override {
    n.exponent = request.exponent ? *request.exponent : 1.5 / (n.rms * n.rms);
  }
  std::string describe(const Nucleus& n) const override {
    return fmt::format(", exponent {:.10e} bohr^-2", n.exponent);
  }
};

constexpr double kDefaultSkin = 2.30;   // fm
constexpr double kSmallestSkin = 1e-3;  // fm; a sharper edge is a sphere

/// Skin thickness t, fm: from 90 to 10 % of the density.
double skinOf(const Nucleus& n) { return 4.0 * std::log(3.0) * n.fermiA * constants::kFemtometresPerBohr; }

class Fermi : public NuclearCharge {
 public:
  Fermi()
      : NuclearCharge(NuclearModel::Fermi, "Fermi",
                      {{"c_bohr", &Nucleus::fermiC}, {"a_bohr", &Nucleus::fermiA}},
                      {{"skin", "skin thickness", &NucleusRequest::skinFemtometres, &skinOf, kDefaultSkin}}) {
  }

  double potential(const Nucleus& n, double r) const override {
    return -n.charge / n.fermiA * fermi::reducedPotential(r / n.fermiA, n.fermiC / n.fermiA);
  }
  double chargeDensity(const Nucleus& n, double r) const override {
    const double norm = 4 * kPi * std::pow(n.fermiA, 3) * fermi::moment(2, n.fermiC / n.fermiA);
    return n.charge / (norm * (1 + std::exp((r - n.fermiC) / n.fermiA)));
  }
  double potentialSlope(const Nucleus& n, double r) const override {
    const double y = n.fermiC / n.fermiA;
    return -n.charge * fermi::reducedPotentialSlope(r / n.fermiA, y) /
           (std::pow(n.fermiA, 3) * fermi::meanSquareSlope(y));
  }
  std::optional<NuclearSurface> surface(const Nucleus& n) const override {
    return NuclearSurface{n.fermiC, n.fermiA};
  }
  UnitDensity unitDensity(const Nucleus& n) const override {
    const double a = n.fermiA, c = n.fermiC;
    const double norm = 1.0 / (4.0 * kPi * std::pow(a, 3) * fermi::moment(2, c / a));
    UnitDensity density{[=](double r) { return norm / (1.0 + std::exp((r - c) / a)); }, {0.0}};
    for (const double k : {-8.0, -3.0, 0.0, 3.0, 8.0, 16.0, 40.0}) {
      const double r = c + k * a;
      if (r > 0.0) density.panels.push_back(r);
    }
    return density;
  }
  void complete(const NucleusRequest& request, Nucleus& n) const override;
  std::string describe(const Nucleus& n) const override {
    return fmt::format(", half-density radius c = {:.6f} fm, skin t = {:.6g} fm",
                       n.fermiC * constants::kFemtometresPerBohr, skinOf(n));
  }
};

void Fermi::complete(const NucleusRequest& request, Nucleus& nucleus) const {
  const double fm = constants::kFemtometresPerBohr, skin = request.skinFemtometres.value_or(kDefaultSkin);
  if (skin < kSmallestSkin)
    throw Error(fmt::format(
        "the Fermi skin thickness {:g} fm is below {:g} fm: use a finite sphere (nuclear model 2)", skin,
        kSmallestSkin));
  const double a = skin / (4.0 * std::log(3.0)) / fm;
  const double smallest = a * fermi::smallestRms();
  if (nucleus.rms < smallest)
    throw Error(fmt::format(
        "no Fermi distribution with a skin of {:.4g} fm has an rms radius of {:.4f} fm (the least "
        "is {:.4f} fm): choose a skin of {:.3f} fm or less, a larger rms radius, or a Gaussian "
        "nucleus (nuclear model 3)",
        skin, nucleus.rms * fm, smallest * fm, std::floor(1000.0 * skin * nucleus.rms / smallest) / 1000.0));
  nucleus.fermiA = a;
  nucleus.fermiC = a * fermi::halfDensityRadius(nucleus.rms / a);
}

}  // namespace

double NuclearCharge::potential(const Nucleus& nucleus, double r) const { return -nucleus.charge / r; }

UnitDensity NuclearCharge::unitDensity(const Nucleus&) const {
  throw Error(fmt::format("a {} nucleus has no charge density; use a finite nuclear model", name));
}

const std::vector<const NuclearCharge*>& nuclearCharges() {
  static const Point kPoint;
  static const Sphere kSphere;
  static const Gaussian kGaussian;
  static const Fermi kFermi;
  static const std::vector<const NuclearCharge*> all = {&kPoint, &kSphere, &kGaussian, &kFermi};
  return all;
}

const NuclearCharge& chargeOf(NuclearModel model) {
  const std::vector<const NuclearCharge*>& all = nuclearCharges();
  const auto index = static_cast<std::size_t>(model) - 1;
  if (index >= all.size()) throw Error(fmt::format("there is no nuclear model {}", static_cast<int>(model)));
  return *all[index];
}

std::vector<NuclearParameter> allNuclearParameters() {
  std::vector<NuclearParameter> all;
  for (const NuclearCharge* charge : nuclearCharges())
    all.insert(all.end(), charge->parameters.begin(), charge->parameters.end());
  return all;
}

std::string numbersOfExtended(const char* last) {
  std::string text;
  const std::vector<const NuclearCharge*>& all = nuclearCharges();
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (i > 1) text += i + 1 < all.size() ? ", " : fmt::format(" {} ", last);
    text += std::to_string(static_cast<int>(all[i]->model));
  }
  return text;
}

template <>
const Names<NuclearModel>& namesOf() {
  static const Names<NuclearModel> kNames = [] {
    Names<NuclearModel> names;
    for (const NuclearCharge* charge : nuclearCharges()) names.emplace_back(charge->name, charge->model);
    return names;
  }();
  return kNames;
}

}  // namespace prophet

namespace prophet::fermi {
namespace {

constexpr double kPi2 = boost::math::double_constants::pi_sqr;
constexpr int kTerms = 24;
constexpr int kLargestK = 5;

// Weights of the alternating-sum acceleration of Cohen, Rodriguez Villegas & Zagier, Exp. Math. 9, 3 (2000),
// algorithm 1. exp(-n u)/n^k are moments of a positive measure on [0, 1] for every u >= 0, so the error is
// below 2 (3 + sqrt 8)^-24 = 1e-18 of the sum, uniformly in u: no slow convergence near r = c.
struct Weights {
  std::array<std::array<double, kTerms>, kLargestK + 1> of{};  // [k][n-1], signs and 1/n^k included

  Weights() {
    double d = std::pow(3.0 + std::sqrt(8.0), kTerms);
    d = (d + 1.0 / d) / 2.0;
    double b = -1.0, c = -d;
    for (int n = 0; n < kTerms; ++n) {
      c = b - c;
      double w = c / d;
      for (int k = 0; k <= kLargestK; ++k, w /= n + 1) of[k][n] = w;
      b *= 2.0 * (n + kTerms) * (n - kTerms) / ((2.0 * n + 1.0) * (n + 1.0));
    }
  }
};

double density(double s, double y) { return 1.0 / (1.0 + std::exp(s - y)); }

// Integral of t (1-t) f(x t) over t in [0, 1], x <= 1. The nearest pole of f is pi away from the real axis,
// so ten Gauss points converge like 12^-20.
double innerIntegral(double x, double y) {
  using Rule = boost::math::quadrature::gauss<double, 10>;
  double sum = 0.0;
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
    for (const double node : {-Rule::abscissa()[i], Rule::abscissa()[i]}) {
      const double t = 0.5 * (1.0 + node);
      sum += 0.5 * Rule::weights()[i] * t * (1.0 - t) * density(x * t, y);
    }
  return sum;
}

// d eta_k(u)/du = -eta_(k-1)(u), eta_1(u) = ln(1 + exp(-u)).
double momentSlope(int k, double y) {
  const double y2 = y * y;
  if (k == 2) return y2 + kPi2 / 3.0 - 2.0 * eta(2, y);
  return y2 * y2 + 2.0 * kPi2 * y2 + 7.0 * kPi2 * kPi2 / 15.0 - 24.0 * eta(4, y);
}

}  // namespace

double eta(int k, double u) {
  static const Weights weights;
  const auto& w = weights.of[static_cast<std::size_t>(k)];
  const double q = std::exp(-u);
  double sum = 0.0;
  for (int n = kTerms - 1; n >= 0; --n) sum = (sum + w[static_cast<std::size_t>(n)]) * q;
  return sum;
}

// Complete Fermi-Dirac integrals; the inversion formula of the polylogarithm turns exp(y) into exp(-y).
double moment(int k, double y) {
  const double y2 = y * y;
  if (k == 2) return y * (y2 + kPi2) / 3.0 + 2.0 * eta(3, y);
  return y * (y2 * y2 / 5.0 + 2.0 * kPi2 * y2 / 3.0 + 7.0 * kPi2 * kPi2 / 15.0) + 24.0 * eta(5, y);
}

// W = Q + x T obeys W(0) = 0, W'(0) = T(0) = y^2/2 + pi^2/6 - eta_2(y), W'' = -x f(x). With f expanded in
// exp(-(s-y)) outside and exp(-(y-s)) inside:
//   x >= y: W = N - x eta_2(x-y) - 2 eta_3(x-y);
//   x <  y: W = x (y^2/2 + pi^2/6) - x^3/6 + x eta_2(y-x) - 2 [eta_3(y-x) - eta_3(y)].
// Both lose digits as x -> 0; there W = x T(0) - x^3 integral of t (1-t) f(x t) over t in [0, 1] does not.
double reducedPotential(double x, double y) {
  const double norm = moment(2, y);
  const double linear = y * y / 2.0 + kPi2 / 6.0;
  if (x <= 1.0) return (linear - eta(2, y) - x * x * innerIntegral(x, y)) / norm;
  if (x >= y) return (1.0 - (x * eta(2, x - y) + 2.0 * eta(3, x - y)) / norm) / x;
  return (linear - x * x / 6.0 + eta(2, y - x) - 2.0 * (eta(3, y - x) - eta(3, y)) / x) / norm;
}

// From the closed forms of W above, W/(x N).
double reducedPotentialSlope(double x, double y) {
  const double norm = moment(2, y), normSlope = momentSlope(2, y);
  if (x >= y) {
    const double lacking = x * eta(2, x - y) + 2.0 * eta(3, x - y);
    return (lacking * normSlope / norm - x * eta(1, x - y) - 2.0 * eta(2, x - y)) / (x * norm);
  }
  const double slope = y - eta(1, y - x) + 2.0 * (eta(2, y - x) - eta(2, y)) / x;
  return slope / norm - reducedPotential(x, y) * normSlope / norm;
}

double meanSquareSlope(double y) {
  const double norm = moment(2, y);
  return (momentSlope(4, y) - moment(4, y) / norm * momentSlope(2, y)) / norm;
}

double smallestRms() { return std::sqrt(moment(4, 0.0) / moment(2, 0.0)); }

double halfDensityRadius(double rms) {
  const double target = rms * rms;
  const auto excess = [target](double y) { return moment(4, y) / moment(2, y) - target; };
  const double upper = rms * std::sqrt(5.0 / 3.0) + 1.0;  // a sphere of that radius without skin is larger
  if (excess(0.0) >= 0.0) return 0.0;
  std::uintmax_t iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      excess, 0.0, upper, boost::math::tools::eps_tolerance<double>(52), iterations);
  return 0.5 * (bracket.first + bracket.second);
}

}  // namespace prophet::fermi

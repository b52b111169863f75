#include "atoms/default_basis/exponent_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/common/constants.hpp"

namespace prophet {
namespace {

using constants::kPi;

/// Largest exponent that the overlaps and the kinetic energy stand without losing the digits that count.
constexpr double kTightestExponent = 1e24;

/// Effective quantum numbers of ground states are below this; above are Rydberg states.
constexpr double kGroundStates = 2.2;

/// A part of a spinor near the nucleus: without the functions above zeta the energy rises by about
/// `share` (scale/zeta)^power.
struct NearNucleus {
  double share, power;
};

/// The power of r that P starts with at a point nucleus without spin-orbit coupling, l > 0: the root below l
/// of (p(p - 1) - l(l + 1)) (p(p + 1) - l(l + 1)) = -(Z/c)^2 (p^2 - l(l + 1)), from the leading powers of the
/// spin-free Dirac equation; about l - (Z/c)^2/(4l + 2).
double spinFreePower(double l, double coupling) {
  const double angular = l * (l + 1), square = coupling * coupling;
  double p = l - square / (4 * l + 2);
  for (int i = 0; i < 4; ++i) {
    const double below = p * (p - 1) - angular, above = p * (p + 1) - angular;
    const double value = below * above + square * (p * p - angular);
    p -= value / ((2 * p - 1) * above + below * (2 * p + 1) + 2 * square * p);
  }
  return p;
}

/// What a ladder that ends at zeta misses, of the energy of the innermost spinor
/// (docs/theory/default-basis.md).
std::vector<NearNucleus> partsNearNucleus(Symmetry symmetry, double charge, double c, bool bothJ) {
  const double k = std::abs(symmetry.kappa), l = symmetry.l();
  const double coupling = charge / c;
  const double gamma = std::sqrt(std::max(k * k - coupling * coupling, 0.01));
  const double fraction = (k - gamma) * (k - gamma);  // of r^gamma that r^k does not describe
  // The small component has one power of r less and starts where the large one is still small.
  const double small = coupling * coupling / ((l + 1) * (l + 1));
  if (bothJ && l > 0) {
    const double power = spinFreePower(l, coupling);
    return {{1.0, l + 1.5}, {small, l + 0.5}, {small * (l - power) * (l - power), power}};
  }
  if (symmetry.kappa < 0) return {{1.0, l + 1.5}, {fraction, gamma}};
  return {{1.0, l + 1.5}, {small, l + 0.5}, {small * fraction, gamma}};
}

double tightEnd(const ExponentDemand& demand, double charge, double c, const ExponentRule& rule) {
  const double shells = demand.symmetry.l() + 1;
  const double scale = charge * charge / (shells * shells);
  const double weight = std::max(10.0, demand.innerElectrons * demand.innermost / rule.tolerance);
  double end = scale;
  for (const NearNucleus& part : partsNearNucleus(demand.symmetry, charge, c, rule.bothJ)) {
    const double logarithm = std::log(std::max(part.share * weight, 1.0)) / part.power;
    end = std::max(end, scale * std::exp(std::min(logarithm, 40.0)));
  }
  return end * 2.0 * rule.reach;
}

double diffuseEnd(const ExponentDemand& demand, const ExponentRule& rule) {
  constexpr double kPerQuantumNumber = 4.0;  // r^n before the exponential, measured in hydrogen up to 10s
  const double weight = demand.outerElectrons * demand.outermost / rule.tolerance;
  const double least = demand.symmetry.l() < 2 ? 6.0 : 4.0;
  const double powers = kPerQuantumNumber * std::max(0.0, demand.effective - kGroundStates);
  const double lengths =
      std::max(least, std::log(std::max(weight, 1.0)) + 1.0 - demand.symmetry.l()) + powers;
  return demand.outermost / (lengths * rule.reach);
}

/// The widest ratio that follows the nodes of a Rydberg state. Each of them makes the Gaussian expansion's
/// integrand in ln zeta oscillate more, which costs the trapezoidal rule a factor exp(2.4), measured in
/// hydrogen up to 10s, 10p, 10d.
double ratioForNodes(const ExponentDemand& demand, const ExponentRule& rule) {
  constexpr double kPrefactor = 0.03, kPerNode = 2.4, kFirstNodes = 2.0;
  if (demand.effective <= kGroundStates) return INFINITY;
  const double aim = 10.0 * rule.tolerance;
  const double weight = std::max(1.0, kPrefactor * demand.outerElectrons * demand.outermost / aim);
  return std::exp(kPi * kPi / (std::log(weight) + kPerNode * demand.effective - kFirstNodes));
}

/// Exponents at an extended nucleus: none above `last`, and closer together than `ratio` from `first` on.
struct TightEnd {
  double first = INFINITY, last = INFINITY, ratio = INFINITY;
};

/// Inside a Gaussian nucleus everything is smooth on the scale of its size. A sphere and a Fermi nucleus have
/// an edge, which spinors of |kappa| = 1 of heavy atoms feel.
TightEnd surfaceOf(const Nucleus& nucleus, Symmetry symmetry, double c, bool bothJ) {
  constexpr double kEdgeCoupling = 0.4;  // Z/c from which they do
  TightEnd surface;
  if (!(nucleus.rms > 0.0)) return surface;
  const double size = 1.5 / (nucleus.rms * nucleus.rms);
  surface.last = 4.0 * size;
  const std::optional<NuclearSurface> edge = nucleus.surface();
  const bool steep = bothJ ? symmetry.l() <= 1 : std::abs(symmetry.kappa) == 1;
  if (!edge || !steep || nucleus.charge < kEdgeCoupling * c) return surface;
  const bool supercritical = nucleus.charge > c;  // for a point nucleus: its size decides everything
  surface.first = (supercritical ? 1e-5 : 0.03) * size;
  surface.last = 40.0 * size;
  surface.ratio = supercritical ? 1.45 : edge->width == 0 ? 1.5 : 1.6;
  return surface;
}

/// Where functions may end without prolapse. The small functions of kappa > 0 are derivatives of the large
/// ones: in momentum space each starts with two powers of k more than the small components of the spinors,
/// which are such derivatives divided by 2c^2 + epsilon - V. Only diffuse functions mend that.
double prolapseEnd(const ExponentDemand& demand, double charge, double c, const ExponentRule& rule) {
  constexpr double kStrength = 0.1;
  if (rule.bothJ ? demand.symmetry.l() == 0 : demand.symmetry.kappa < 0) return INFINITY;
  const double coupling = charge / c, l = demand.symmetry.l();
  const double weight = kStrength * demand.innerElectrons * demand.innermost * std::pow(coupling / l, 4);
  return charge * charge * std::pow(rule.tolerance / weight, 1.0 / (l + 0.5));
}

/// Adds functions below the first one. What they are for is far from the spinor: wide steps will do.
void extendDown(double end, std::vector<double>& exponents) {
  constexpr double kStepOfExponents = 2.4;
  std::vector<double> below;
  for (double zeta = exponents.front(); zeta > end;) below.push_back(zeta /= kStepOfExponents);
  exponents.insert(exponents.begin(), below.rbegin(), below.rend());
}

}  // namespace

double evenTemperedRatio(double relativeError, double charge) {
  const double prefactor = 0.03 + std::pow(charge / 118.0, 1.5);
  return std::exp(kPi * kPi / std::log(prefactor / relativeError));
}

double missingAtPoint(const ExponentDemand& demand, double charge, double c, double largest, bool bothJ) {
  const NearNucleus part = partsNearNucleus(demand.symmetry, charge, c, bothJ).back();
  const double shells = demand.symmetry.l() + 1, scale = charge * charge / (shells * shells);
  return demand.innerElectrons * demand.innermost * part.share * std::pow(scale / largest, part.power);
}

std::vector<double> fittedExponents(const ExponentDemand& demand, const Nucleus& nucleus, double c,
                                    const ExponentRule& rule) {
  constexpr double kShareOfSpan = 0.4, kShellsEnd = 12.0;
  const double natural = tightEnd(demand, nucleus.charge, c, rule), first = diffuseEnd(demand, rule);
  const double shells = demand.symmetry.l() + 1;
  const double span = std::log(natural * shells * shells / (nucleus.charge * nucleus.charge));
  const TightEnd surface = surfaceOf(nucleus, demand.symmetry, c, rule.bothJ);
  const double last =
      std::max(std::min({natural, kTightestExponent, surface.last * rule.reach}), 10.0 * first);
  const double atShells = std::min(ratioForNodes(demand, rule), rule.widestAtShells);
  const double shellsEnd = kShellsEnd * nucleus.charge * nucleus.charge;
  std::vector<double> exponents = {first};
  while (exponents.back() < last) {
    const double zeta = exponents.back();
    const double fromEnd = std::log(natural / zeta) / (kShareOfSpan * span);
    double ratio = rule.ratio * (1.0 + rule.widening * std::exp(-std::max(fromEnd, 0.0)));
    if (zeta < shellsEnd) ratio = std::min(ratio, atShells);
    exponents.push_back(zeta * (zeta > surface.first ? std::min(ratio, surface.ratio) : ratio));
  }
  extendDown(prolapseEnd(demand, nucleus.charge, c, rule), exponents);
  return exponents;
}

BasisSet fittedSet(const std::vector<ExponentDemand>& demands, const Nucleus& nucleus, double c,
                   const ExponentRule& rule) {
  BasisSet basis;
  for (std::size_t a = 0; a < demands.size(); ++a) {
    const bool shared = rule.bothJ && demands[a].symmetry.kappa > 0 && a + 1 < demands.size();
    const ExponentDemand& demand = demands[shared ? a + 1 : a];
    basis.symmetries.push_back({demands[a].symmetry, fittedExponents(demand, nucleus, c, rule)});
  }
  return basis;
}

}  // namespace prophet

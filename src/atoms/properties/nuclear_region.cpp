#include "atoms/properties/nuclear_region.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "atoms/calculation/compute.hpp"
#include "atoms/properties/density.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

constexpr int kRadialSteps = 1500;            // an even number
constexpr double kNuclearReach = 9;           // times the rms radius: charge beyond is below 1e-12
constexpr double kInsideSurface = 1 - 1e-12;  // the surface of a sphere belongs to it

/// The radial equations without the powers of r that P and c Q begin with:
/// kappa = -1: P = r u, c Q = r^2 v; kappa = 1: P = r^2 u, c Q = r v. `w`: potential minus energy.
Eigen::Array2d slope(int kappa, double r, double w, double slowness, const Eigen::Array2d& y) {
  if (r == 0) return {0, 0};
  const double mass = 2 - w * slowness;
  if (kappa < 0) return {mass * r * y[1], (w * y[0] - 3 * y[1]) / r};
  return {(mass * y[1] - 3 * y[0]) / r, w * r * y[0]};
}

}  // namespace

double centreOverMean(const Nucleus& nucleus, Symmetry symmetry, double shift, double slowness) {
  if (std::abs(symmetry.kappa) != 1) return 0;
  const std::optional<NuclearSurface> surface = nucleus.surface();
  const bool sharp = surface && surface->width == 0;
  const double end = sharp ? surface->radius : kNuclearReach * nucleus.rms, step = end / kRadialSteps;
  const auto w = [&](double r) { return nucleus.potential(std::max(r, 1e-6 * step)) + shift; };
  const auto next = [&](double r, double from, double half, double to, const Eigen::Array2d& y) {
    const int kappa = symmetry.kappa;
    const Eigen::Array2d a = slope(kappa, r, from, slowness, y);
    const Eigen::Array2d b = slope(kappa, r + step / 2, half, slowness, y + step / 2 * a);
    const Eigen::Array2d c = slope(kappa, r + step / 2, half, slowness, y + step / 2 * b);
    const Eigen::Array2d d = slope(kappa, r + step, to, slowness, y + step * c);
    return Eigen::Array2d(y + step / 6 * (a + 2 * b + 2 * c + d));
  };
  const auto density = [&](double r, const Eigen::Array2d& y) {
    return symmetry.kappa < 0 ? y[0] * y[0] + slowness * r * r * y[1] * y[1]
                              : r * r * y[0] * y[0] + slowness * y[1] * y[1];
  };
  double here = w(0), integral = 0;
  Eigen::Array2d y =
      symmetry.kappa < 0 ? Eigen::Array2d(1, here / 3) : Eigen::Array2d((2 - here * slowness) / 3, 1);
  const double centre = density(0, y);
  for (int i = 0; i < kRadialSteps; ++i) {  // Runge and Kutta's steps, Simpson's weights
    const double r = i * step, there = w(r + step), reached = r + step;
    y = next(r, here, w(r + step / 2), there, y);
    here = there;
    const double weight = i + 1 == kRadialSteps ? 1 : i % 2 == 0 ? 4 : 2;
    integral +=
        weight * reached * reached * nucleus.chargeDensity(kInsideSurface * reached) * density(reached, y);
  }
  integral *= 4 * constants::kPi * step / 3 / nucleus.charge;
  return centre / integral;
}

namespace {

constexpr double kUnit = 0.004, kRatio = 1.7;  // bohr^-2; the ladder's exponents are kUnit kRatio^k
constexpr double kFurther = 3;                 // how far the ladder reaches beyond the set at the diffuse end
/// Steepest functions of s, p, d, ... in exponents 3/(2 rms^2) of a Gaussian nucleus.
constexpr double kSteepest[] = {50, 50, 2e-2, 1e-3};

int rungBelow(double exponent) {
  return static_cast<int>(std::floor(std::log(exponent / kUnit) / std::log(kRatio)));
}

}  // namespace

BasisSet referenceLadder(const Nucleus& nucleus, const BasisSet& own) {
  const double nuclear = 1.5 / (nucleus.rms * nucleus.rms);
  BasisSet ladder;
  ladder.description = "the reference ladder of densities at the nucleus";
  for (std::size_t a = 0; a < own.symmetries.size(); ++a) {
    const Symmetry symmetry = own.symmetries[a].symmetry;
    const int l = symmetry.l();
    double least = nuclear, most = kSteepest[std::min(l, 3)] * nuclear;
    for (const SymmetryBasis& s : own.symmetries) {
      if (s.symmetry.l() != l || s.exponents.empty()) continue;
      const auto [first, last] = std::minmax_element(s.exponents.begin(), s.exponents.end());
      least = std::min(least, *first);
      most = std::max(most, *last);
    }
    SymmetryBasis& functions = ladder.symmetries.emplace_back(SymmetryBasis{symmetry, {}});
    for (int k = rungBelow(least / kFurther); k <= rungBelow(most) + 1; ++k)
      functions.exponents.push_back(kUnit * std::pow(kRatio, k));
  }
  return ladder;
}

std::optional<Result> inReferenceLadder(const Calculation& calculation, const Result& result) {
  const Hamiltonian& h = calculation.problem.hamiltonian;
  if (!kindOf(h.oneElectron).samePicture || calculation.problem.nucleus.isPoint() || !result.ok())
    return std::nullopt;
  Calculation reference = calculationIn(
      referenceLadder(calculation.problem.nucleus, calculation.inBasis().basis), calculation.problem);
  Hamiltonian& simple = reference.problem.hamiltonian;
  simple.repulsion = h.scfRepulsion();
  simple.breitFrequency = false;
  if (!h.qedInScf()) simple.qed = {};
  BasisMethod& method = reference.inBasis();
  method.start = result.coefficients;
  method.keepSpinors = true;
  const Result found = computeOrReason(reference, {1});
  if (!found.ok() || !found.wavefunction) return std::nullopt;
  return found;
}

namespace {

/// Relative errors in the reference ladder and of the numerical limit, which agree to 3e-9 in mean densities
/// (docs/how-to/isomer-shifts.md): of mean densities, and of rho(0), where the expansion leaves out how
/// exchange varies; that part is the same for all charges and configurations of a nucleus.
constexpr double kMeanError = 1e-8, kCentreError = 1e-7;
/// Error of the mean density that spoils differences, as a share of what an outermost s electron has.
constexpr double kSpoiled = 0.01;

bool allExist(const SpinorIntegrals& integrals, int k) {
  for (int i = 0; i < integrals.count(); ++i) {
    if (integrals.spinor(i).occupation > 0 && !integrals.exists(i, k)) return false;
  }
  return true;
}

/// Mean density of one electron in each spinor, electrons/bohr^3.
std::vector<double> meanDensities(const SpinorIntegrals& integrals, const Nucleus& nucleus) {
  const SpinorIntegrals::Weight weight = integrals.weight([&](double r) { return nucleus.chargeDensity(r); });
  std::vector<double> list;
  for (int i = 0; i < integrals.count(); ++i) list.push_back(integrals.density(i, weight) / nucleus.charge);
  return list;
}

/// What exchange takes from the potential of a spinor at the nucleus, hartree: of spinors of its own
/// symmetry, whose amplitudes there are as the roots of their mean densities. Its own share is that of one
/// electron; half of the others' electrons have its spin.
double exchangeAtNucleus(const SpinorIntegrals& integrals, int index, const std::vector<double>& means,
                         const SpinorIntegrals::Weight& inverse) {
  double sum = integrals.density(index, inverse);
  for (int j = 0; j < integrals.count(); ++j) {
    const Spinor& other = integrals.spinor(j);
    if (j == index || other.symmetry.kappa != integrals.spinor(index).symmetry.kappa) continue;
    sum += other.occupation / 2 * std::sqrt(means[j] / means[index]) * integrals.between(index, j, inverse);
  }
  return sum;
}

/// rho(0) from the mean densities, which any method has more accurately than the value at one point.
double centralDensity(const SpinorIntegrals& integrals, const AtomProblem& problem,
                      const std::vector<double>& means) {
  const Hamiltonian& h = problem.hamiltonian;
  const double slowness = h.isFourComponent() ? 1 / (h.speedOfLight * h.speedOfLight) : 0;
  const SpinorIntegrals::Weight inverse = integrals.powerWeight(-1);
  const double repulsion = integrals.total(inverse);
  double sum = 0;
  for (int i = 0; i < integrals.count(); ++i) {
    const Spinor& s = integrals.spinor(i);
    if (s.occupation == 0 || std::abs(s.symmetry.kappa) != 1) continue;
    const double field = repulsion - exchangeAtNucleus(integrals, i, means, inverse);
    sum += s.occupation * means[i] * centreOverMean(problem.nucleus, s.symmetry, field - s.energy, slowness);
  }
  return sum;
}

/// The densities and the slope of one set of spinors.
void addDensities(const SpinorIntegrals& integrals, const AtomProblem& problem, const Result& result,
                  bool expand, NuclearRegion& region) {
  const Nucleus& nucleus = problem.nucleus;
  const std::vector<double> means = meanDensities(integrals, nucleus);
  double mean = 0;
  for (int i = 0; i < integrals.count(); ++i) mean += integrals.spinor(i).occupation * means[i];
  region.meanDensity = mean;
  region.energySlope = integrals.total(integrals.weight([&](double r) { return nucleus.potentialSlope(r); }));
  region.density =
      expand ? centralDensity(integrals, problem, means) : Density(result).at(Eigen::VectorXd::Zero(1))[0];
}

/// `other`: what the values are compared with.
void addErrors(const NuclearRegion& other, NuclearRegion& region) {
  const auto error = [](const std::optional<double>& value, const std::optional<double>& reference,
                        double relative) {
    return std::abs(*value - *reference) + relative * std::abs(*reference);
  };
  region.densityError = error(region.density, other.density, kCentreError);
  region.meanDensityError = error(region.meanDensity, other.meanDensity, kMeanError);
  region.energySlopeError = error(region.energySlope, other.energySlope, kMeanError);
}

/// Mean density of one electron in the s spinor that is bound least; 0 without one.
double outermostS(const SpinorIntegrals& integrals, const Nucleus& nucleus) {
  const std::vector<double> means = meanDensities(integrals, nucleus);
  int outermost = -1;
  for (int i = 0; i < integrals.count(); ++i) {
    const Spinor& s = integrals.spinor(i);
    if (s.symmetry.kappa != -1 || s.occupation == 0) continue;
    if (outermost < 0 || s.energy > integrals.spinor(outermost).energy) outermost = i;
  }
  return outermost < 0 ? 0 : means[outermost];
}

void warnOfError(double error, double outermost, std::vector<Warning>& warnings) {
  if (error <= kSpoiled * outermost || outermost == 0) return;
  warnings.push_back(
      {"density_at_nucleus_poor",
       fmt::format("the density at the nucleus is that of this basis set and has an error of {:.2g} "
                   "electrons/bohr^3, while an outermost s electron contributes {:.3g}: its differences "
                   "between charges and configurations are not significant; let the program choose the "
                   "basis, or use library='universal' or jobtype='limit'",
                   error, outermost)});
}

}  // namespace

NuclearRegion nuclearRegion(const SpinorIntegrals& integrals, const Calculation& calculation,
                            const Result& result, std::vector<Warning>& warnings) {
  const AtomProblem& problem = calculation.problem;
  const Nucleus& nucleus = problem.nucleus;
  NuclearRegion region;
  if (allExist(integrals, -1)) region.potential = -integrals.total(integrals.powerWeight(-1));
  if (nucleus.isPoint()) {
    region.meanPotential = region.potential;
    return region;
  }
  region.meanPotential =
      integrals.total(integrals.weight([&](double r) { return nucleus.potential(r); })) / nucleus.charge;
  // Self-consistent QED potentials act inside the nucleus too, which the expansion does not know.
  const bool expand = !problem.hamiltonian.qedInScf();
  addDensities(integrals, problem, result, expand && calculation.isLimit(), region);
  if (calculation.isLimit()) {
    addErrors(region, region);
    return region;
  }
  const std::optional<Result> found = inReferenceLadder(calculation, result);
  if (!found) {
    warnings.push_back({"density_at_nucleus_error_unknown",
                        "the density at the nucleus is that of the basis set, and its error is not known: "
                        "the field in the ladder for comparison did not converge"});
    return region;
  }
  NuclearRegion reference;
  addDensities(SpinorIntegrals(problem, *found), problem, *found, expand, reference);
  if (calculation.inBasis().chosen) {
    region.density = reference.density;
    region.meanDensity = reference.meanDensity;
    region.energySlope = reference.energySlope;
  }
  addErrors(reference, region);
  warnOfError(*region.meanDensityError, outermostS(integrals, nucleus), warnings);
  return region;
}

}  // namespace prophet

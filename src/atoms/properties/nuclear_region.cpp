#include "atoms/properties/nuclear_region.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/properties/density.hpp"
#include "atoms/properties/nuclear_expansion.hpp"
#include "atoms/properties/reference_ladder.hpp"

namespace prophet {
namespace {

/// Relative errors in the reference ladder and of the numerical limit, which agree to 3e-9 in mean densities
/// (docs/isomer-shifts.md): of mean densities, and of rho(0), where the expansion leaves out how exchange
/// varies; that part is the same for all charges and configurations of a nucleus.
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
       fmt::format(
           "the density at the nucleus is that of this basis set, {:.2g} electrons/bohr^3 off, where an "
           "outermost s electron has {:.3g}: its differences between charges and configurations mean "
           "nothing; leave the basis to the program, or use library='universal' or jobtype='limit'",
           error, outermost)});
}

}  // namespace

NuclearRegion nuclearRegion(const SpinorIntegrals& integrals, const Calculation& calculation,
                            const Result& result, std::vector<Warning>& warnings) {
  const AtomProblem& problem = calculation.problem;
  const Nucleus& nucleus = problem.nucleus;
  NuclearRegion region;
  if (allExist(integrals, -1)) region.potential = -integrals.total(integrals.powerWeight(-1));
  if (nucleus.model == NuclearModel::Point) {
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
                        "the ladder that it "
                        "is compared with has no converged field"});
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

#include "atoms/limit/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/resolutions.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

using limit::FieldProblem;
using limit::RadialBasis;
using limit::ResolvedField;

constexpr double kStrongestPoint = 0.955;    // Z/c: spinors start as r^gamma with gamma = 0.3
constexpr double kRelativeRounding = 2e-14;  // relative error of an energy from rounding alone

void check(const Nucleus& nucleus, const Configuration& configuration, const LimitOptions& o) {
  if (!(nucleus.charge > 0)) throw Error("the numerical limit needs a positive nuclear charge");
  if (!(configuration.electrons() > 0)) throw Error("the numerical limit needs at least one electron");
  if (!(o.speedOfLight > 0)) throw Error("the speed of light must be positive");
  const OneElectronKind& kind = kindOf(o.oneElectron);
  const bool dirac = kind.fourComponent;
  if (!kind.hasLimit)
    throw Error(
        fmt::format("the numerical limit is that of hamiltonian='dirac', 'nonrel' or 'koelling-harmon'; "
                    "found hamiltonian='{}'",
                    nameOf(o.oneElectron)));
  if (!dirac && (o.twoElectronOperator != TwoElectronOperator::Coulomb || !o.extra.empty()))
    throw Error(
        fmt::format("the Breit interaction and QED corrections need hamiltonian='dirac'; found "
                    "hamiltonian='{}'",
                    nameOf(o.oneElectron)));
  if (!dirac && !treatsBothJAlike(configuration))
    throw Error(
        fmt::format("hamiltonian='{}' does not distinguish j, but the configuration {} treats the two j "
                    "of a shell differently; name whole shells, such as 2p2",
                    nameOf(o.oneElectron), configuration.description));
  if (o.oneElectron == OneElectronOperator::KoellingHarmon) requireScalarFunctional(o.functional, o.spin);
  if (kind.relativistic && nucleus.isPoint() && nucleus.charge > kStrongestPoint * o.speedOfLight) {
    throw Error(
        fmt::format("the numerical limit treats point nuclei of up to {:.1f} charges: beyond that spinors "
                    "rise so steeply at the nucleus that no mesh can represent them (and from Z = c on there "
                    "is no bound 1s); choose a nucleus with a finite size",
                    kStrongestPoint * o.speedOfLight));
  }
  if (!o.functional.empty() && o.breitSelfConsistent && o.twoElectronOperator != TwoElectronOperator::Coulomb)
    throw Error(
        fmt::format("functional='{}' has the Breit interaction in first order only; give "
                    "breitscf=.false.",
                    o.functional));
  if (!nucleus.isPoint() && !(nucleus.rms > 0)) {
    throw Error("a nucleus of finite size needs its rms radius");
  }
  if (o.splineOrder < 5 || o.splineOrder > 16) throw Error("splineOrder must be 5 to 16");
  if (!(o.density > 0) || !(o.refinement > 1)) throw Error("density must be positive and refinement above 1");
  if (o.threads < 1 || o.maxIterations < 1) throw Error("threads and maxIterations must be at least 1");
}

LimitResolution summary(const ResolvedField& field) {
  const RadialBasis& b = *field.basis;
  LimitResolution r;
  r.cells = b.cells;
  r.splines = b.allSplines();
  r.points = b.points;
  r.iterations = field.solution.iterations;
  r.largestRadius = std::exp(b.largeSpace.breaks().back());
  r.residual = field.solution.residual;
  r.energy = field.solution.energy.total;
  return r;
}

LimitSpinor describe(const RadialBasis& b, const limit::PointSpinors& spinors, int column) {
  const Eigen::ArrayXd density =
      (spinors.large.col(column).array().square() + spinors.small.col(column).array().square()) *
      b.weight.array();
  LimitSpinor s;
  s.occupation = spinors.occupation[column];
  s.meanRadius = (density * b.r.array()).sum();
  s.meanSquareRadius = (density * b.r.array().square()).sum();
  s.meanInverseRadius = (density / b.r.array()).sum();
  return s;
}

std::vector<LimitSpinor> describe(const ResolvedField& field, const FieldProblem& problem) {
  const auto points = limit::atPoints(*field.basis, field.solution.spinors);
  std::vector<LimitSpinor> all;
  for (int a = 0; a < static_cast<int>(points.size()); ++a) {
    const Symmetry symmetry = Symmetry::fromIndex(a);
    for (int i = 0; i < points[a].occupation.size(); ++i) {
      const SpinorOccupation& occupied = problem.configuration.symmetries[a].spinors[i];
      LimitSpinor s = describe(*field.basis, points[a], i);
      s.label = spinorLabel(symmetry, occupied.number + 1);
      s.n = symmetry.l() + 1 + occupied.number;
      s.kappa = symmetry.kappa;
      s.open = occupied.open;
      s.energy = field.solution.energies[a][i];
      s.bound =
          field.solution.converged ? limit::isBound(s.energy, problem, field.extent.radius) : s.energy < 0;
      all.push_back(s);
    }
  }
  return all;
}

// -<V>/<c alpha.p>, in the non-relativistic limit -<V>/<p^2>; the kinetic part holds <(beta - 1) c^2> = -2
// c^2 <Q|Q> too. Of exchange and correlation, which do not scale as 1/r, the derivative for a scaled density
// stands in the place of the energy.
double virialRatio(const ResolvedField& field, double c) {
  const RadialBasis& b = *field.basis;
  if (b.components == limit::Components::LargeAndSmallOfBothJ) return std::nan("");
  const double scaled = field.solution.exchangeCorrelationVirial -
                        field.solution.energy.value(EnergyPartId::ExchangeCorrelation);
  if (!b.hasSmall()) {
    const double kinetic = field.solution.energy.value(EnergyPartId::Kinetic);
    return -(field.solution.energy.total + scaled - kinetic) / (2 * kinetic);
  }
  double small = 0;
  for (const auto& s : limit::atPoints(b, field.solution.spinors)) {
    small += (s.small.cwiseAbs2() * s.occupation).dot(b.weight);
  }
  const double total = field.solution.energy.total + scaled;
  const double kinetic = field.solution.energy.value(EnergyPartId::Kinetic);
  return -(total - kinetic) / (kinetic + 2 * c * c * small);
}

FieldProblem problemOf(const Nucleus& nucleus, const Configuration& configuration, const LimitOptions& o) {
  FieldProblem problem{nucleus,
                       configuration,
                       kindOf(o.oneElectron).relativistic ? o.speedOfLight : INFINITY,
                       o.extra,
                       o.extraSelfConsistent,
                       o.breitSelfConsistent ? o.twoElectronOperator : TwoElectronOperator::Coulomb,
                       o.shell,
                       {},
                       o.oneElectron == OneElectronOperator::KoellingHarmon};
  if (!o.functional.empty())
    problem.functional = std::make_shared<Functional>(o.functional, problem.speedOfLight, o.spin);
  if (o.shell.any()) {
    problem.extra.push_back(shellOperator(o.shell));
    problem.extraSelfConsistent = true;
  }
  return problem;
}

/// `spinors`: get what is of first order.
std::vector<EnergyPart> breitParts(const ResolvedField& field, const Configuration& configuration,
                                   const LimitOptions& o, std::vector<LimitSpinor>& spinors) {
  std::vector<EnergyPart> parts;
  const auto add = [&](EnergyPartId id, BreitPart part) {
    std::vector<Eigen::VectorXd> values;
    const double value =
        limit::breitEnergy(*field.basis, configuration, field.solution.spinors, part, o.threads, &values);
    parts.push_back({id, value, o.breitSelfConsistent ? Treatment::SelfConsistent : Treatment::FirstOrder});
    std::size_t index = 0;
    for (const Eigen::VectorXd& ofSymmetry : values)
      for (const double own : ofSymmetry) {
        if (index < spinors.size() && !o.breitSelfConsistent) spinors[index].breit += own;
        ++index;
      }
  };
  if (o.twoElectronOperator != TwoElectronOperator::Coulomb) add(EnergyPartId::Gaunt, BreitPart::Gaunt);
  if (o.twoElectronOperator == TwoElectronOperator::CoulombBreit)
    add(EnergyPartId::BreitGauge, BreitPart::Gauge);
  return parts;
}

}  // namespace

LimitResult numericalLimit(const Nucleus& nucleus, const Configuration& configuration,
                           const LimitOptions& options) {
  check(nucleus, configuration, options);
  const FieldProblem problem = problemOf(nucleus, configuration, options);
  limit::Resolutions resolutions(problem, options);
  LimitResult result;
  std::optional<ResolvedField> first;
  if (!options.start) first = resolutions.solveFirst(result.remark);
  const ResolvedField second =
      first ? resolutions.solveSecond(*first) : resolutions.solveFrom(*options.start);
  if (first) result.resolutions.push_back(summary(*first));
  result.resolutions.push_back(summary(second));
  result.converged = (!first || first->solution.converged) && second.solution.converged;
  result.parts = second.solution.energy;
  result.energy = result.parts.total;
  result.estimatedError = first ? std::max(std::abs(result.energy - first->solution.energy.total),
                                           kRelativeRounding * std::abs(result.energy))
                                : std::numeric_limits<double>::quiet_NaN();
  if (!second.solution.energies.empty()) result.spinors = describe(second, problem);
  result.parts.addBreit(breitParts(second, configuration, options, result.spinors));
  result.virialRatio = virialRatio(second, problem.speedOfLight);
  if (second.solution.energies.empty()) return result;
  result.wavefunction = std::make_shared<LimitWavefunction>(*second.basis, second.solution.spinors, nucleus,
                                                            problem.speedOfLight);
  for (const LimitSpinor& s : result.spinors) {
    if (!s.bound) result.unbound.push_back(s.label);
  }
  if (!result.unbound.empty()) result.estimatedError = std::numeric_limits<double>::infinity();
  if (!result.converged) return result;
  if (const auto wrong = limit::wrongNodes(second, problem)) {
    throw Error(
        fmt::format("the numerical limit: {}: the field converged to another state than the requested one; "
                    "choose another configuration",
                    *wrong));
  }
  return result;
}

}  // namespace prophet

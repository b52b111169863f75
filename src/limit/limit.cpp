#include "limit/limit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "common/error.hpp"
#include "limit/breit_energy.hpp"
#include "limit/projection.hpp"
#include "limit/self_consistency.hpp"

namespace prophet {
namespace {

using limit::AtomProblem;
using limit::FieldSolution;
using limit::RadialBasis;

constexpr double kDecayLengths = 24;        // reach of the mesh in decay lengths of the outermost spinor
constexpr double kDecayLengthsNeeded = 20;  // below this the first resolution is done again
constexpr double kRounding = 2e-14;         // relative error of an energy from rounding alone

void check(const Nucleus& nucleus, const Configuration& configuration, const LimitOptions& o) {
  if (!(nucleus.charge > 0)) throw Error("the numerical limit needs a positive nuclear charge");
  if (!(configuration.electrons() > 0)) throw Error("the numerical limit needs at least one electron");
  if (!(o.speedOfLight > 0)) throw Error("the speed of light must be positive");
  if (nucleus.model == NuclearModel::Point && nucleus.charge >= 0.999 * o.speedOfLight) {
    throw Error("a point nucleus of this charge has no bound 1s spinor; choose a nucleus with a finite size");
  }
  if (nucleus.model != NuclearModel::Point && !(nucleus.rms > 0)) {
    throw Error("a nucleus of finite size needs its rms radius");
  }
  if (o.splineOrder < 5 || o.splineOrder > 16) throw Error("splineOrder must be 5 to 16");
  if (!(o.density > 0) || !(o.refinement > 1)) throw Error("density must be positive and refinement above 1");
  if (o.threads < 1 || o.maxIterations < 1) throw Error("threads and maxIterations must be at least 1");
}

struct Level {
  std::unique_ptr<RadialBasis> basis;
  FieldSolution solution;
};

struct Reach {
  double decay, radius;  // smallest decay constant, outer end of the mesh
};

std::unique_ptr<RadialBasis> makeBasis(const AtomProblem& problem, const LimitOptions& o, Reach reach,
                                       double density) {
  const limit::MeshRequest request{problem.nucleus, o.speedOfLight, reach.radius,
                                   reach.decay,     density,        o.splineOrder};
  return std::make_unique<RadialBasis>(limit::makeMesh(request), o.splineOrder, o.splineOrder);
}

// Before anything is known: an electron outside an ion of charge q - 1 has an effective quantum number of at
// most about 2.2 in units of its charge; negative ions hold theirs more loosely.
Reach firstReach(const AtomProblem& problem, const LimitOptions& o) {
  const double seen = problem.nucleus.charge - problem.configuration.electrons() + 1;
  const double decay = seen < 0.5 ? 0.25 : 0.45 * seen;
  return {decay, o.largestRadius > 0 ? o.largestRadius : kDecayLengths / decay};
}

Reach reachOf(const FieldSolution& solution, const LimitOptions& o, Reach before) {
  double highest = -1e300;
  for (const auto& energies : solution.energies) {
    if (energies.size() > 0) highest = std::max(highest, energies.maxCoeff());
  }
  if (highest > -1e-3) return before;
  const double decay = std::sqrt(-2 * highest);
  return {decay, o.largestRadius > 0 ? o.largestRadius : kDecayLengths / decay};
}

LimitResolution summary(const Level& level) {
  const RadialBasis& b = *level.basis;
  LimitResolution r;
  r.cells = b.cells;
  r.splines = b.largeSpace.size() + b.smallSpace.size();
  r.points = b.points;
  r.iterations = level.solution.iterations;
  r.largestRadius = std::exp(b.largeSpace.breaks().back());
  r.residual = level.solution.residual;
  r.energy = level.solution.energy.total;
  return r;
}

std::vector<LimitSpinor> describe(const Level& level, const Configuration& configuration) {
  const RadialBasis& b = *level.basis;
  const auto points = limit::atPoints(b, level.solution.spinors);
  std::vector<LimitSpinor> all;
  for (int a = 0; a < static_cast<int>(points.size()); ++a) {
    for (int i = 0; i < points[a].occupation.size(); ++i) {
      const Eigen::ArrayXd density =
          (points[a].large.col(i).array().square() + points[a].small.col(i).array().square()) *
          b.weight.array();
      const Symmetry symmetry = Symmetry::fromIndex(a);
      LimitSpinor s;
      s.label = spinorLabel(symmetry, i + 1);
      s.kappa = symmetry.kappa;
      s.open = configuration.symmetries[a].open && i == configuration.symmetries[a].closed;
      s.occupation = points[a].occupation[i];
      s.energy = level.solution.energies[a][i];
      s.meanRadius = (density * b.r.array()).sum();
      s.meanSquareRadius = (density * b.r.array().square()).sum();
      s.meanInverseRadius = (density / b.r.array()).sum();
      all.push_back(s);
    }
  }
  return all;
}

// -<V>/<c alpha.p>; the kinetic part holds <(beta - 1) c^2> = -2 c^2 <Q|Q> too.
double virialRatio(const Level& level, double c) {
  const RadialBasis& b = *level.basis;
  double small = 0;
  for (const auto& s : limit::atPoints(b, level.solution.spinors)) {
    small += (s.small.cwiseAbs2() * s.occupation).dot(b.weight);
  }
  const double total = level.solution.energy.total;
  const double kinetic = level.solution.energy.value(EnergyPartId::Kinetic);
  return -(total - kinetic) / (kinetic + 2 * c * c * small);
}

AtomProblem problemOf(const Nucleus& nucleus, const Configuration& configuration, const LimitOptions& o) {
  return {nucleus, configuration,         o.speedOfLight,
          o.extra, o.extraSelfConsistent, o.breitSelfConsistent ? o.operation : TwoElectronOperator::Coulomb};
}

std::vector<EnergyPart> breitParts(const Level& level, const Configuration& configuration,
                                   const LimitOptions& o) {
  std::vector<EnergyPart> parts;
  const auto add = [&](EnergyPartId id, BreitPart part) {
    const double value =
        limit::breitEnergy(*level.basis, configuration, level.solution.spinors, part, o.threads);
    parts.push_back({id, value, o.breitSelfConsistent ? Treatment::SelfConsistent : Treatment::FirstOrder});
  };
  if (o.operation != TwoElectronOperator::Coulomb) add(EnergyPartId::Gaunt, BreitPart::Gaunt);
  if (o.operation == TwoElectronOperator::CoulombBreit) add(EnergyPartId::BreitGauge, BreitPart::Gauge);
  return parts;
}

}  // namespace

LimitResult numericalLimit(const Nucleus& nucleus, const Configuration& configuration,
                           const LimitOptions& options) {
  check(nucleus, configuration, options);
  const AtomProblem problem = problemOf(nucleus, configuration, options);
  const limit::IterationControl control{options.maxIterations, options.threads, options.residualThreshold};
  LimitResult result;
  const auto solveOn = [&](Reach reach, double density, const Level* start) {
    Level level;
    level.basis = makeBasis(problem, options, reach, density);
    limit::SelfConsistency field(*level.basis, problem, control);
    level.solution =
        start == nullptr
            ? field.solve()
            : field.solveFrom(limit::carryOver(start->solution.spinors, *start->basis, *level.basis));
    result.resolutions.push_back(summary(level));
    return level;
  };
  Reach reach = firstReach(problem, options);
  Level coarse = solveOn(reach, options.density, nullptr);
  const Reach better = reachOf(coarse.solution, options, reach);
  if (coarse.solution.converged && reach.radius * better.decay < kDecayLengthsNeeded) {
    result.resolutions.clear();
    Level again = solveOn(better, options.density, &coarse);
    coarse = std::move(again);
  }
  const Level fine = solveOn(better, options.density * options.refinement, &coarse);
  result.converged = coarse.solution.converged && fine.solution.converged;
  result.parts = fine.solution.energy;
  result.energy = result.parts.total;
  result.estimatedError =
      std::max(std::abs(result.energy - coarse.solution.energy.total), kRounding * std::abs(result.energy));
  result.parts.addBreit(breitParts(fine, configuration, options));
  result.virialRatio = virialRatio(fine, options.speedOfLight);
  if (!fine.solution.energies.empty()) result.spinors = describe(fine, configuration);
  return result;
}

}  // namespace prophet

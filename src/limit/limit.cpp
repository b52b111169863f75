#include "limit/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "common/error.hpp"
#include "limit/breit_energy.hpp"
#include "limit/mesh_extent.hpp"
#include "limit/projection.hpp"
#include "limit/self_consistency.hpp"
#include "limit/wavefunction.hpp"

namespace prophet {
namespace {

using limit::FieldProblem;
using limit::FieldSolution;
using limit::MeshExtent;
using limit::RadialBasis;

constexpr double kRounding = 2e-14;    // relative error of an energy from rounding alone
constexpr int kLargestExtensions = 8;  // of the first resolution's mesh
constexpr double kSecondExtent = 1.1;  // of the second resolution's mesh over what seems to be enough

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

/// The field solved at one resolution.
struct ResolvedField {
  std::unique_ptr<RadialBasis> basis;
  FieldSolution solution;
  MeshExtent extent;
};

std::unique_ptr<RadialBasis> makeBasis(const FieldProblem& problem, const LimitOptions& o, MeshExtent extent,
                                       double density) {
  const limit::MeshRequest request{problem.nucleus, o.speedOfLight, extent.radius,       extent.decay,
                                   density,         o.splineOrder,  outerCharge(problem)};
  return std::make_unique<RadialBasis>(limit::makeMesh(request), o.splineOrder, o.splineOrder);
}

LimitResolution summary(const ResolvedField& field) {
  const RadialBasis& b = *field.basis;
  LimitResolution r;
  r.cells = b.cells;
  r.splines = b.largeSpace.size() + b.smallSpace.size();
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

// The state asked for is the one whose spinors have the nodes that their names promise.
void checkNodes(const LimitResult& result) {
  for (int i = 0; i < static_cast<int>(result.spinors.size()); ++i) {
    const LimitSpinor& s = result.spinors[i];
    const int expected = s.n - 1 - Symmetry{s.kappa}.l(), found = result.wavefunction->nodes(i);
    if (found == expected || !s.bound) continue;
    throw Error(fmt::format(
        "the numerical limit: the spinor found for {} has {} nodes instead of {}: the field went to another "
        "state than the one asked for; choose another configuration",
        s.label, found, expected));
  }
}

// -<V>/<c alpha.p>; the kinetic part holds <(beta - 1) c^2> = -2 c^2 <Q|Q> too.
double virialRatio(const ResolvedField& field, double c) {
  const RadialBasis& b = *field.basis;
  double small = 0;
  for (const auto& s : limit::atPoints(b, field.solution.spinors)) {
    small += (s.small.cwiseAbs2() * s.occupation).dot(b.weight);
  }
  const double total = field.solution.energy.total;
  const double kinetic = field.solution.energy.value(EnergyPartId::Kinetic);
  return -(total - kinetic) / (kinetic + 2 * c * c * small);
}

FieldProblem problemOf(const Nucleus& nucleus, const Configuration& configuration, const LimitOptions& o) {
  return {nucleus,
          configuration,
          o.speedOfLight,
          o.extra,
          o.extraSelfConsistent,
          o.breitSelfConsistent ? o.twoElectronOperator : TwoElectronOperator::Coulomb};
}

std::vector<EnergyPart> breitParts(const ResolvedField& field, const Configuration& configuration,
                                   const LimitOptions& o) {
  std::vector<EnergyPart> parts;
  const auto add = [&](EnergyPartId id, BreitPart part) {
    const double value =
        limit::breitEnergy(*field.basis, configuration, field.solution.spinors, part, o.threads);
    parts.push_back({id, value, o.breitSelfConsistent ? Treatment::SelfConsistent : Treatment::FirstOrder});
  };
  if (o.twoElectronOperator != TwoElectronOperator::Coulomb) add(EnergyPartId::Gaunt, BreitPart::Gaunt);
  if (o.twoElectronOperator == TwoElectronOperator::CoulombBreit)
    add(EnergyPartId::BreitGauge, BreitPart::Gauge);
  return parts;
}

/// Solves at one resolution after the other, each from the spinors of the one before.
class Resolutions {
 public:
  Resolutions(const FieldProblem& problem, const LimitOptions& options)
      : problem_(problem),
        options_(options),
        control_{options.maxIterations, options.threads, options.residualThreshold} {}

  ResolvedField solve(MeshExtent extent, double density, const ResolvedField* start) const {
    ResolvedField field;
    field.extent = extent;
    field.basis = makeBasis(problem_, options_, extent, density);
    limit::SelfConsistency iteration(*field.basis, problem_, control_);
    field.solution =
        start == nullptr
            ? iteration.solve()
            : iteration.solveFrom(limit::carryOver(start->solution.spinors, *start->basis, *field.basis));
    return field;
  }

  /// The first resolution, on a mesh that is extended until all spinors have died away at its end, or until
  /// electrons that are not bound there have had every chance.
  ResolvedField solveFirst() const {
    MeshExtent extent = limit::firstExtent(problem_, options_.largestRadius);
    ResolvedField field = solve(extent, options_.density, nullptr);
    for (int step = 0; step < kLargestExtensions && options_.largestRadius == 0; ++step) {
      if (!field.solution.converged || allBound(field) || extent.radius > hopelessRadius()) break;
      extent = limit::extentFor(field.solution, problem_, extent);
      ResolvedField larger = solve(extent, options_.density, &field);
      field = std::move(larger);
    }
    return field;
  }

  /// The extent of the second resolution: a little larger than the first, so that an influence of the mesh's
  /// end shows in the difference of the two.
  MeshExtent secondExtent(const ResolvedField& first) const {
    if (options_.largestRadius > 0) return first.extent;
    MeshExtent extent =
        allBound(first) ? limit::extentFor(first.solution, problem_, first.extent) : first.extent;
    extent.radius *= kSecondExtent;
    return extent;
  }

 private:
  bool allBound(const ResolvedField& field) const {
    for (const auto& energies : field.solution.energies) {
      for (const double energy : energies) {
        if (!limit::isBound(energy, problem_, field.extent.radius)) return false;
      }
    }
    return true;
  }
  // A Coulomb tail binds every state if the mesh is large enough; a neutral core binds within atomic sizes.
  double hopelessRadius() const { return limit::outerCharge(problem_) > 0.5 ? 1e4 : 300; }

  const FieldProblem& problem_;
  const LimitOptions& options_;
  limit::IterationControl control_;
};

}  // namespace

LimitResult numericalLimit(const Nucleus& nucleus, const Configuration& configuration,
                           const LimitOptions& options) {
  check(nucleus, configuration, options);
  const FieldProblem problem = problemOf(nucleus, configuration, options);
  const Resolutions resolutions(problem, options);
  const ResolvedField first = resolutions.solveFirst();
  const ResolvedField second =
      resolutions.solve(resolutions.secondExtent(first), options.density * options.refinement, &first);
  LimitResult result;
  result.resolutions = {summary(first), summary(second)};
  result.converged = first.solution.converged && second.solution.converged;
  result.parts = second.solution.energy;
  result.energy = result.parts.total;
  result.estimatedError =
      std::max(std::abs(result.energy - first.solution.energy.total), kRounding * std::abs(result.energy));
  result.parts.addBreit(breitParts(second, configuration, options));
  result.virialRatio = virialRatio(second, options.speedOfLight);
  if (second.solution.energies.empty()) return result;
  result.spinors = describe(second, problem);
  result.wavefunction = std::make_shared<LimitWavefunction>(*second.basis, second.solution.spinors, nucleus,
                                                            options.speedOfLight);
  for (const LimitSpinor& s : result.spinors) {
    if (!s.bound) result.unbound.push_back(s.label);
  }
  if (!result.unbound.empty()) result.estimatedError = std::numeric_limits<double>::infinity();
  if (result.converged) checkNodes(result);
  return result;
}

}  // namespace prophet

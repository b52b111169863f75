#include "atoms/limit/resolutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/limit/projection.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "core/common/error.hpp"

namespace prophet::limit {
namespace {

constexpr int kLargestExtensions = 8;  // of the first resolution's mesh
constexpr double kSecondExtent = 1.1;  // of the second resolution's mesh over what seems to be enough
constexpr int kUsualIterations = 25;   // slower convergence is a reason to try another start
constexpr double kSameState = 1e-9;    // relative difference of energies of one state, found twice
constexpr FieldStart kDamped{0, 10, 0.5, 0.4};

}  // namespace

// The state asked for is the one whose spinors have the nodes that their names promise.
std::optional<std::string> wrongNodes(const ResolvedField& field, const FieldProblem& problem) {
  if (!field.solution.converged) return std::nullopt;
  const LimitWavefunction functions(*field.basis, field.solution.spinors, problem.nucleus,
                                    problem.speedOfLight);
  int index = 0;
  for (int a = 0; a < static_cast<int>(problem.configuration.symmetries.size()); ++a) {
    const auto& occupied = problem.configuration.symmetries[a].spinors;
    for (std::size_t i = 0; i < occupied.size(); ++i, ++index) {
      const int expected = occupied[i].number, found = functions.nodes(index);
      if (found == expected || !isBound(field.solution.energies[a][i], problem, field.extent.radius))
        continue;
      return fmt::format("the spinor found for {} has {} nodes instead of {}",
                         spinorLabel(Symmetry::fromIndex(a), expected + 1), found, expected);
    }
  }
  return std::nullopt;
}

Resolutions::Resolutions(const FieldProblem& problem, const LimitOptions& options)
    : problem_(problem),
      options_(options),
      control_{options.maxIterations, options.threads, options.residualThreshold} {
  control_.checkpoint = options.checkpoint;
  if (!options.observer) return;
  control_.observer = [this](int iteration, double residual, double threshold) {
    options_.observer({resolution_, iteration, residual, threshold});
  };
}

ResolvedField Resolutions::empty(MeshExtent extent, double density) const {
  const MeshRequest request{problem_.nucleus,
                            problem_.speedOfLight,
                            extent.radius,
                            extent.decay,
                            density,
                            options_.splineOrder,
                            outerCharge(problem_),
                            problem_.shell.any() ? problem_.shell.radius : 0.0};
  ResolvedField field;
  field.extent = extent;
  field.basis = std::make_unique<RadialBasis>(makeMesh(request), options_.splineOrder, options_.splineOrder,
                                              problem_.components());
  return field;
}

ResolvedField Resolutions::solveAt(MeshExtent extent, const FieldStart& start) const {
  ResolvedField field = empty(extent, options_.density);
  field.solution = SelfConsistency(*field.basis, problem_, control_).solve(start);
  return field;
}

bool Resolutions::allBound(const ResolvedField& field) const {
  for (const auto& energies : field.solution.energies) {
    for (const double energy : energies) {
      if (!isBound(energy, problem_, field.extent.radius)) return false;
    }
  }
  return true;
}

bool Resolutions::right(const ResolvedField& field) const {
  return field.solution.converged && !wrongNodes(field, problem_);
}

// The field of a negative ion has states with its weakest electron near and far, and the usual start, which
// does not attract that electron, may lead to the wrong one.
bool Resolutions::doubtful(const ResolvedField& field) const {
  return !right(field) || outerCharge(problem_) < 0.5 || field.solution.iterations > kUsualIterations;
}

bool Resolutions::lower(const ResolvedField& candidate, const ResolvedField& best) const {
  if (!right(candidate)) return false;
  const double energy = best.solution.energy.total;
  return !right(best) || candidate.solution.energy.total < energy - kSameState * std::abs(energy);
}

ResolvedField Resolutions::solveLowest(MeshExtent extent, std::string& remark) const {
  ResolvedField best = solveAt(extent, {});
  if (!doubtful(best)) return best;
  FieldStart ion;
  ion.removed = std::max(1.0, problem_.configuration.electrons() - problem_.nucleus.charge);
  FieldStart dampedIon = kDamped;
  dampedIon.removed = ion.removed;
  for (const FieldStart& start : {ion, kDamped, dampedIon}) {
    if (start.dampedIterations > 0 && right(best)) break;
    ResolvedField candidate;
    try {
      candidate = solveAt(extent, start);
    } catch (const Error&) {
      continue;  // lost its states from here; there are other starts
    }
    if (!lower(candidate, best)) continue;
    const char* words = start.dampedIterations > 0 ? "with damping and a level shift"
                                                   : "from the field of an ion with fewer electrons";
    remark = right(best) ? fmt::format(
                               "the usual start led to a state {:.1e} hartree higher; this one was "
                               "found {}",
                               best.solution.energy.total - candidate.solution.energy.total, words)
                         : fmt::format("the usual start did not lead to the state; it was found {}", words);
    best = std::move(candidate);
  }
  return best;
}

ResolvedField Resolutions::carryOn(MeshExtent extent, double density, const ResolvedField& before) const {
  ResolvedField field = empty(extent, density);
  SelfConsistency iteration(*field.basis, problem_, control_);
  const SpinorSet start = carryOver(before.solution.spinors, *before.basis, *field.basis);
  field.solution = iteration.solveFrom(start);
  if (!field.solution.converged && before.solution.converged)
    field.solution = iteration.solveFrom(start, kDamped);
  return field;
}

ResolvedField Resolutions::solveFirst(std::string& remark) const {
  MeshExtent extent = firstExtent(problem_, options_.largestRadius);
  ResolvedField field = solveLowest(extent, remark);
  for (int step = 0; step < kLargestExtensions && options_.largestRadius == 0; ++step) {
    if (!field.solution.converged || allBound(field) || extent.radius > hopelessRadius()) break;
    extent = extentFor(field.solution, problem_, extent);
    ResolvedField larger = carryOn(extent, options_.density, field);
    field = std::move(larger);
  }
  return field;
}

ResolvedField Resolutions::solveSecond(const ResolvedField& first) {
  resolution_ = 2;
  return carryOn(secondExtent(first), options_.density * options_.refinement, first);
}

MeshExtent Resolutions::secondExtent(const ResolvedField& first) const {
  if (options_.largestRadius > 0) return first.extent;
  MeshExtent extent = allBound(first) ? extentFor(first.solution, problem_, first.extent) : first.extent;
  extent.radius *= kSecondExtent;
  return extent;
}

// A Coulomb tail binds every state if the mesh is large enough; a neutral core binds within atomic sizes.
double Resolutions::hopelessRadius() const { return outerCharge(problem_) > 0.5 ? 1e4 : 300; }

}  // namespace prophet::limit

#include "atoms/limit/resolutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "core/common/error.hpp"

namespace prophet::limit {

namespace {

// Splines of a space (columns) at points x; zero outside its break points.
Eigen::MatrixXd valuesAt(const SplineSpace& space, const Eigen::VectorXd& x) {
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(x.size(), space.size());
  std::vector<double> local(space.order()), slopes(space.order());
  for (int i = 0; i < x.size(); ++i) {
    if (x[i] < space.breaks().front() || x[i] > space.breaks().back()) continue;
    const int cell = space.cellOf(x[i]);
    space.evaluate(cell, x[i], local.data(), slopes.data());
    for (int s = 0; s < space.order(); ++s) values(i, space.firstSpline(cell) + s) = local[s];
  }
  return values;
}

void orthonormalise(const Eigen::MatrixXd& metric, Eigen::MatrixXd& vectors) {
  for (int i = 0; i < vectors.cols(); ++i) {
    for (int j = 0; j < i; ++j) {
      vectors.col(i) -= vectors.col(j).dot(metric * vectors.col(i)) * vectors.col(j);
    }
    vectors.col(i) /= std::sqrt(vectors.col(i).dot(metric * vectors.col(i)));
  }
}

/// Least-squares image of spinors in another basis, orthonormal again (each symmetry by itself, in the order
/// of its columns). Spinors count as zero outside the mesh that they come from.
SpinorSet carryOver(const LimitWavefunction& spinors, const Configuration& configuration,
                    const RadialBasis& to) {
  const Eigen::MatrixXd large = valuesAt(spinors.largeSpace(), to.x),
                        small = valuesAt(spinors.smallSpace(), to.x);
  SpinorSet carried;
  int next = 0;
  for (int a = 0; a < static_cast<int>(configuration.symmetries.size()); ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    const int count = configuration.occupiedSpinors(a);
    Eigen::VectorXd& occupation = carried.occupations.emplace_back(count);
    Eigen::MatrixXd overlaps = Eigen::MatrixXd::Zero(to.size(s), count);
    for (int i = 0; i < count; ++i, ++next) {
      const LimitWavefunction::Spinor& spinor = spinors.spinors().at(static_cast<std::size_t>(next));
      occupation[i] = configuration.occupation(a, i);
      overlaps.col(i).head(to.largeCount(s)) =
          to.large.middleCols(to.firstLarge(s), to.largeCount(s)).transpose() *
          (to.weight.asDiagonal() * (large * spinor.large));
      if (to.hasSmall())
        overlaps.col(i).tail(to.smallCount()) =
            to.small.transpose() * (to.weight.asDiagonal() * (small * spinor.small));
    }
    const Eigen::MatrixXd metric = to.overlapMatrix(s);
    Eigen::MatrixXd image = solveLinear(metric, overlaps);
    orthonormalise(metric, image);
    carried.coefficients.push_back(std::move(image));
  }
  return carried;
}

constexpr double kDecayLengths = 24;        // extent of the mesh in decay lengths of the outermost spinor
constexpr double kDecayLengthsNeeded = 20;  // below this a spinor feels the end of the mesh
constexpr double kExponent = 15;            // the same from the turning point on, for Rydberg states
constexpr double kExponentNeeded = 11;
// Cells of the mesh over those that exact exchange needs: potentials of functionals vary more quickly, most
// of all those of meta-GGAs and of spins where one of them ends.
constexpr double kDensityForFunctionals = 1.25, kDensityForGradients = 2, kDensityForSpinOrKinetic = 3;
constexpr double kNeutralDecay = 0.35;  // 1/bohr: of outermost Kohn-Sham electrons of neutral atoms
constexpr double kWeakestDecay = 1e-3;  // 1/bohr: no mesh is made for spinors that decay more slowly

double densityFor(const FieldProblem& problem) {
  if (!problem.functional) return 1;
  const Functional& f = *problem.functional;
  if (!f.needsGradient()) return kDensityForFunctionals;
  return f.isPolarised() || f.needsKinetic() ? kDensityForSpinOrKinetic : kDensityForGradients;
}

// Largest effective quantum number that the configuration suggests. Ground states have one below 2.2,
// whatever their n; in holes and excited states the outermost electron may be hydrogen-like.
double effectiveQuantumNumber(const Configuration& configuration) {
  double largest = 2.2;
  if (configuration.isAufbau() && configuration.electrons() > 1) return largest;
  for (int a = 0; a < static_cast<int>(configuration.symmetries.size()); ++a) {
    for (const SpinorOccupation& s : configuration.symmetries[a].spinors)
      largest = std::max(largest, 1.0 * Symmetry::fromIndex(a).l() + s.number + 1);
  }
  return largest;
}

}  // namespace

double decayConstant(double energy, double c) {
  return energy < 0 ? std::sqrt(std::max(0.0, -energy * (2 + energy / (c * c)))) : 0.0;
}

bool isNegativeIon(const FieldProblem& problem) {
  return problem.nucleus.charge + problem.shell.charge - problem.configuration.electrons() < -0.5;
}

double outerCharge(const FieldProblem& problem) {
  const double own = problem.functional ? problem.functional->exactExchange() : 1.0;
  return std::max(0.0,
                  problem.nucleus.charge + problem.shell.charge - problem.configuration.electrons() + own);
}

// With u = decay r and nu = charge/decay the integral from the turning point u = 2 nu has a closed form.
double decayExponent(double decay, double charge, double radius) {
  const double u = decay * radius;
  if (!(decay > 0) || charge <= 0) return u;
  const double turning = 2 * charge / decay;
  if (u <= turning) return 0;
  return std::sqrt(u * (u - turning)) -
         turning * std::log((std::sqrt(u) + std::sqrt(u - turning)) / std::sqrt(turning));
}

double radiusNeeded(double decay, double charge) {
  double lengths = kDecayLengths;
  while (decayExponent(decay, charge, lengths / decay) < kExponent) lengths *= 1.02;
  return lengths / decay;
}

bool isBound(double energy, const FieldProblem& problem, double radius) {
  const double decay = decayConstant(energy, problem.speedOfLight);
  return decay * radius >= kDecayLengthsNeeded &&
         decayExponent(decay, outerCharge(problem), radius) >= kExponentNeeded;
}

MeshExtent firstExtent(const FieldProblem& problem, double largestRadius) {
  const double seen = outerCharge(problem);
  const bool anion = seen < 0.5;  // negative ions hold their outermost electron loosely
  if (problem.functional && !isNegativeIon(problem)) {
    const double decay = std::max(kNeutralDecay, 0.45 * seen);
    return {decay, largestRadius > 0 ? largestRadius : radiusNeeded(decay, seen)};
  }
  const double effective = effectiveQuantumNumber(problem.configuration);
  const double decay = anion ? 0.25 : (effective > 2.2 ? 1 / effective : 0.45) * seen;
  if (largestRadius > 0) return {decay, largestRadius};
  return {decay, anion ? kDecayLengths / decay : radiusNeeded(decay, seen)};
}

MeshExtent extentFor(const FieldSolution& solution, const FieldProblem& problem, MeshExtent before) {
  double decay = 1e300, highest = -1e300;
  for (const auto& energies : solution.energies) {
    for (const double energy : energies) {
      decay = std::min(decay, decayConstant(energy, problem.speedOfLight));
      highest = std::max(highest, energy);
    }
  }
  if (highest > -1e290 && decay > kWeakestDecay) return {decay, radiusNeeded(decay, outerCharge(problem))};
  return {before.decay, 2 * before.radius};
}

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
                            density * densityFor(problem_),
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
  return !right(field) || isNegativeIon(problem_) || field.solution.iterations > kUsualIterations;
}

bool Resolutions::lower(const ResolvedField& candidate, const ResolvedField& best) const {
  if (!right(candidate)) return false;
  const double energy = best.solution.energy.total;
  return !right(best) || candidate.solution.energy.total < energy - kSameState * std::abs(energy);
}

ResolvedField Resolutions::solveLowest(MeshExtent extent, std::string& remark) const {
  ResolvedField best;
  std::exception_ptr failure;
  try {
    best = solveAt(extent, {});
    if (!doubtful(best)) return best;
  } catch (const Error&) {
    if (!problem_.functional) throw;
    failure = std::current_exception();  // potentials of functionals may lose the states of the usual start
  }
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
  if (failure && !right(best)) std::rethrow_exception(failure);
  return best;
}

ResolvedField Resolutions::carryOn(MeshExtent extent, double density, const ResolvedField& before) const {
  const LimitWavefunction spinors(*before.basis, before.solution.spinors, problem_.nucleus,
                                  problem_.speedOfLight);
  return carryOn(extent, density, spinors, before.solution.converged);
}

ResolvedField Resolutions::carryOn(MeshExtent extent, double density, const LimitWavefunction& before,
                                   bool converged) const {
  ResolvedField field = empty(extent, density);
  SelfConsistency iteration(*field.basis, problem_, control_);
  const SpinorSet start = carryOver(before, problem_.configuration, *field.basis);
  field.solution = iteration.solveFrom(start);
  if (!field.solution.converged && converged) field.solution = iteration.solveFrom(start, kDamped);
  return field;
}

ResolvedField Resolutions::solveFrom(const LimitStart& start) const {
  const MeshExtent extent{decayConstant(start.highestEnergy, problem_.speedOfLight),
                          start.spinors->largestRadius()};
  return carryOn(extent, options_.density * options_.refinement, *start.spinors, true);
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

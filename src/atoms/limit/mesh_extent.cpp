#include "atoms/limit/mesh_extent.hpp"

#include <algorithm>
#include <cmath>

namespace prophet::limit {
namespace {

constexpr double kDecayLengths = 24;        // extent of the mesh in decay lengths of the outermost spinor
constexpr double kDecayLengthsNeeded = 20;  // below this a spinor feels the end of the mesh
constexpr double kExponent = 15;            // the same from the turning point on, for Rydberg states
constexpr double kExponentNeeded = 11;
constexpr double kWeakestDecay = 1e-3;  // 1/bohr: no mesh is made for spinors that decay more slowly

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

double outerCharge(const FieldProblem& problem) {
  return std::max(0.0, problem.nucleus.charge + problem.shell.charge - problem.configuration.electrons() + 1);
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

}  // namespace prophet::limit

#pragma once
#include <memory>
#include <optional>
#include <string>

#include "atoms/limit/limit.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "atoms/limit/self_consistency.hpp"

namespace prophet::limit {

/// Where a mesh ends, and the slowest decay that its tail must resolve.
struct MeshExtent {
  double decay = 0;   ///< 1/bohr
  double radius = 0;  ///< bohr; all spinors vanish there
};

/// Decay constant of a bound spinor, sqrt(-epsilon (2 + epsilon/c^2)), 1/bohr; 0 for epsilon >= 0.
double decayConstant(double energy, double speedOfLight);

/// Charge that attracts an electron far outside the others: Z - N + 1 and that of a shell, not below zero.
/// With a density functional, in whose field an electron repels itself, Z - N and its share of exact
/// exchange.
double outerCharge(const FieldProblem& problem);

/// Whether there are more electrons than the nucleus and a shell have charges.
bool isNegativeIon(const FieldProblem& problem);

/// Decay of a spinor between its outer turning point and `radius`, as the exponent of the semiclassical
/// amplitude: the integral of sqrt(decay^2 - 2 charge/r). 0 inside the turning point.
double decayExponent(double decay, double charge, double radius);

/// Radius (bohr) at which a spinor may be cut off without a visible change of its energy.
double radiusNeeded(double decay, double charge);

/// Whether a spinor is held by the atom and not by the end of the mesh: a negative energy, and an amplitude
/// that has died away before `radius`.
bool isBound(double energy, const FieldProblem& problem, double radius);

/// The extent before anything is known about the spinors. `largestRadius` (bohr): where the mesh shall end;
/// 0: chosen here.
MeshExtent firstExtent(const FieldProblem& problem, double largestRadius);

/// The extent that the spinors of a solution on a mesh of extent `before` require.
MeshExtent extentFor(const FieldSolution& solution, const FieldProblem& problem, MeshExtent before);

/// The field solved at one resolution.
struct ResolvedField {
  std::unique_ptr<RadialBasis> basis;
  FieldSolution solution;
  MeshExtent extent;
};

/// The first bound spinor whose nodes are not those that its name promises, in words; empty if all have
/// theirs, or if the field did not converge.
std::optional<std::string> wrongNodes(const ResolvedField& field, const FieldProblem& problem);

/// Solves at one resolution after the other, each from the spinors of the one before.
class Resolutions {
 public:
  Resolutions(const FieldProblem& problem, const LimitOptions& options);
  Resolutions(const Resolutions&) = delete;

  /// The first resolution, on a mesh that is extended until all spinors have died away at its end, or until
  /// electrons that are not bound there have had every chance. `remark`: a sentence, where the state was not
  /// found from the usual start.
  ResolvedField solveFirst(std::string& remark) const;
  /// The finer one, on a mesh that reaches a little further than the first, so that an influence of the
  /// mesh's end shows in the difference of the two.
  ResolvedField solveSecond(const ResolvedField& first);
  /// The finer one alone, from spinors that another density gave.
  ResolvedField solveFrom(const LimitStart& start) const;

 private:
  ResolvedField empty(MeshExtent extent, double density) const;
  ResolvedField solveAt(MeshExtent extent, const FieldStart& start) const;
  ResolvedField solveLowest(MeshExtent extent, std::string& remark) const;
  ResolvedField carryOn(MeshExtent extent, double density, const ResolvedField& before) const;
  /// `converged`: whether the field of `before` did.
  ResolvedField carryOn(MeshExtent extent, double density, const LimitWavefunction& before,
                        bool converged) const;
  bool right(const ResolvedField& field) const;
  bool doubtful(const ResolvedField& field) const;
  bool lower(const ResolvedField& candidate, const ResolvedField& best) const;
  bool allBound(const ResolvedField& field) const;
  MeshExtent secondExtent(const ResolvedField& first) const;
  double hopelessRadius() const;

  const FieldProblem& problem_;
  const LimitOptions& options_;
  IterationControl control_;
  int resolution_ = 1;
};

}  // namespace prophet::limit

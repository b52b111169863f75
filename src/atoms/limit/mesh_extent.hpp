#pragma once
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
double outerCharge(const FieldProblem& problem);

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

}  // namespace prophet::limit

#pragma once
#include <vector>

#include "atoms/atom/nucleus.hpp"

namespace prophet::limit {

/// Break points in x = ln r with their knot multiplicities (docs/theory-limit.md, "Mesh").
struct Mesh {
  std::vector<double> breaks;
  std::vector<int> multiplicity;
};

/// What a mesh must resolve.
struct MeshRequest {
  Nucleus nucleus;
  double speedOfLight = 0;
  double largestRadius = 0;  ///< bohr; all spinors vanish there
  double decay = 1;          ///< smallest decay constant sqrt(-2 epsilon) of an occupied spinor, 1/bohr
  double density = 1;        ///< multiplies the number of cells per unit of x
  int smoothOrder = 9;       ///< order of the splines: the largest multiplicity that may be needed
  double charge = 0;         ///< that acts on the outermost electron: sets the oscillations of Rydberg states
  double shellRadius = 0;    ///< bohr, where the potential has an edge; 0: nowhere
};

/// Cells about equally demanding for the spinors of an atom: uniform in ln r where they oscillate (narrower
/// for Rydberg states), wider towards the origin (where they are powers of r), uniform in r in the tail, and
/// narrower at the surface of a Fermi nucleus. The radii of a sphere nucleus and of a charged
/// shell are break points where derivatives may jump.
Mesh makeMesh(const MeshRequest& request);

/// The innermost radius of a mesh: below it the spinors' share of the energy is under 1e-13.
double smallestRadius(const Nucleus& nucleus, double speedOfLight);

}  // namespace prophet::limit

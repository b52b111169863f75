#pragma once
#include <memory>

#include "core/mesh/assignment.hpp"
#include "core/mesh/mesh_size.hpp"
#include "matter/madelung/charged_cell.hpp"

namespace prophet {

/// Parameters of a particle-mesh Ewald sum; lengths in bohr.
struct SpmeParameters {
  Assignment assignment = Assignment::Spread;
  int order = 6;      ///< of the B-splines, 2 to 12
  MeshSize mesh{};    ///< points along a, b and c, more than the order
  double beta = 0;    ///< splitting, 1/bohr
  double cutoff = 0;  ///< of the sum over pairs
};

/// Seconds that the parts of a sum took.
struct SpmeTimes {
  double assign = 0, transform = 0, interpolate = 0, pairs = 0;
};

/// Smooth particle-mesh Ewald sum: U. Essmann et al., J. Chem. Phys. 103, 8577 (1995). Keeps mesh and
/// transforms for many configurations of one cell.
class Spme {
 public:
  /// Throws Error for parameters that cannot be, or if memory does not suffice.
  Spme(const Eigen::Matrix3d& vectors, const SpmeParameters& parameters, int threads);
  ~Spme();

  /// The part of the smooth charges alone, by the mesh.
  Electrostatics reciprocal(const ChargedCell& cell, SpmeTimes* times = nullptr);
  /// All of it. `cell` has the vectors of the constructor.
  Electrostatics compute(const ChargedCell& cell, SpmeTimes* times = nullptr);

 private:
  struct Mesh;
  Eigen::Matrix3d vectors_;
  SpmeParameters parameters_;
  int threads_;
  std::unique_ptr<Mesh> mesh_;
};

/// Checks the cell and computes once.
Electrostatics spme(const ChargedCell& cell, const SpmeParameters& parameters,
                    NetCharge netCharge = NetCharge::Refused, int threads = 1);

}  // namespace prophet

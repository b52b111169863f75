#pragma once
#include <Eigen/Core>

#include "core/mesh/assignment.hpp"
#include "core/mesh/mesh_slabs.hpp"

namespace prophet {

/// Particles on a periodic mesh: their charges assigned to its points by B-splines, and numbers at its points
/// interpolated back to the particles with the same weights, so that forces are the derivatives of the
/// energy.
class SplineMesh {
 public:
  /// `u`: positions in units of the spacings, each in [0, n) of its axis. `order`: 2 to 12, no more than the
  /// points of any axis (for Filter also fewer than them). Throws Error otherwise.
  SplineMesh(MeshPositions u, const MeshSize& n, Assignment assignment, int order, int threads);

  /// Charges, one for each particle, onto the points of the mesh; what was there is overwritten.
  void assign(const Eigen::VectorXd& charges, double* mesh) const;
  /// Numbers on the mesh at the particles, and their gradients for each spacing. Filter changes the mesh
  /// (filters it).
  void interpolate(double* mesh, Eigen::VectorXd& values, Eigen::Matrix3Xd& gradients) const;

 private:
  void spread(const Eigen::VectorXd& charges, double* mesh) const;
  void gather(const Eigen::VectorXd& charges, double* mesh) const;

  MeshPositions u_;
  MeshSize n_;
  Assignment assignment_;
  int order_, own_, threads_;
  MeshSlabs slabs_;
};

}  // namespace prophet

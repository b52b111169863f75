#pragma once
#include <complex>

#include "matter/shape/q_grid.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// The Fourier transform of the volume inside a surface of flat triangles, F(q) = integral exp(i q.r) d^3r in
/// angstrom^3, to rounding at any q. By the divergence theorem and Stokes's a sum over faces and their edges
/// (J. Wuttke, J. Appl. Cryst. 54, 580 (2021)), here by divided differences of the exponential at the
/// corners' phases, which are stable where q is perpendicular to a face or an edge; for wavelengths beyond
/// the body's size a sum over tetrahedra, which needs no division by q.
class Polyhedron {
 public:
  /// `mesh`: repaired.
  explicit Polyhedron(const TriangleMesh& mesh);
  std::complex<double> formFactor(const Eigen::Vector3d& q) const;

 private:
  struct Face {
    std::array<int, 3> corners;
    Eigen::Vector3d twiceArea;  ///< times the normal
    double sixVolumes;          ///< of the tetrahedron with the centre
  };
  Eigen::Vector3d centre_;
  double radius_;
  std::vector<Eigen::Vector3d> vertices_;  ///< from the centre
  std::vector<Face> faces_;
};

}  // namespace prophet

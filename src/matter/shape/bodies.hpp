#pragma once
#include <complex>
#include <functional>
#include <string>

#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// A body whose form factor is known, centred on the origin (a pyramid and a cone at half their height, which
/// is along z); lengths in angstrom.
struct Body {
  std::string description;
  /// integral exp(i q.r) d^3r, angstrom^3, to rounding.
  std::function<std::complex<double>(const Eigen::Vector3d&)> formFactor;
  /// Its surface by about so many triangles: exact for flat faces, else with the corners on it.
  std::function<TriangleMesh(int triangles)> surface;
  double bottom = 0;  ///< its smallest z
};

/// All lengths above 0; Error otherwise.
Body sphere(double radius);
Body cylinder(double radius, double height);
Body box(double x, double y, double z);
/// A square base of edge `base`, at the top one of edge `top` < base, 0 for a whole one.
Body pyramid(double base, double height, double top = 0);
Body cone(double radius, double height);

/// Of a triangulated surface.
Body polyhedronBody(const TriangleMesh& mesh);

}  // namespace prophet

#pragma once
#include <complex>
#include <functional>
#include <optional>
#include <string>

#include "matter/shape/q_grid.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// Divided differences of exp(i x) over two, three and four real points, to rounding wherever the points are,
/// coincident or far apart: integral of exp(i x) over a line, a triangle, a tetrahedron whose corners have
/// the phases x, divided by twice the area, six times the volume (formula of Hermite and Genocchi).
std::complex<double> exponentialDifference(double a, double b);
std::complex<double> exponentialDifference(double a, double b, double c);
std::complex<double> exponentialDifference(double a, double b, double c, double d);

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
  /// For waves that decay: the same integral with a complex q.
  std::complex<double> formFactor(const Eigen::Vector3cd& q) const;
  /// The largest r.direction of a point r.
  double reach(const Eigen::Vector3d& direction) const;

 private:
  template <class Vector>
  std::complex<double> factorAt(const Vector& q) const;

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

/// A body whose form factor is known, centred on the origin (a pyramid and a cone at half their height, which
/// is along z); lengths in angstrom.
struct Body {
  std::string description;
  /// integral exp(i q.r) d^3r, angstrom^3, to rounding.
  std::function<std::complex<double>(const Eigen::Vector3d&)> formFactor;
  /// Its surface by about so many triangles: exact for flat faces, else with the corners on it.
  std::function<TriangleMesh(int triangles)> surface;
  /// The same at complex q, for waves that decay in what surrounds the body. Throws nothing, but overflows
  /// where a wave changes by more than a factor of 1e300 over the body.
  std::function<std::complex<double>(const Eigen::Vector3cd&)> complexFormFactor;
  /// The largest r.direction of a point r of it.
  std::function<double(const Eigen::Vector3d&)> reach;
  /// The part with low < r.direction < high in the same place; none if it is empty. `direction` of length 1,
  /// limits may be infinite. To rounding for spheres, flat faces, and cylinders and cones across their axis;
  /// those that are cut obliquely become prisms and pyramids of the same cross sections, off by about 1e-7.
  /// Parts of spheres have no parts.
  std::function<std::optional<Body>(const Eigen::Vector3d& direction, double low, double high)> part;

  double bottom() const { return -reach({0, 0, -1}); }  ///< its smallest z
};

/// All lengths above 0; Error otherwise.
Body sphere(double radius);
Body cylinder(double radius, double height);
Body box(double x, double y, double z);
/// A square base of edge `base`, at the top one of edge `top` < base, 0 for a whole one.
Body pyramid(double base, double height, double top = 0);
Body cone(double radius, double height);

/// A body that lengths describe, as settings and scenes name it.
struct BodyKind {
  const char *name, *lengths, *documentation;
  std::size_t least, most;  ///< of the lengths
  Body (*make)(const std::vector<double>& lengths);
};

/// sphere, cylinder, box, pyramid, cone.
const std::vector<BodyKind>& bodyKinds();

/// The body that a triangulated surface encloses.
Body polyhedronBody(const TriangleMesh& mesh);

}  // namespace prophet

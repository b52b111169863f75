#pragma once
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// A sphere around the origin by about so many triangles, made of an octahedron's faces; corners on the
/// sphere.
TriangleMesh sphereSurface(double radius, int triangles);

/// A body of revolution about z between z = -height/2 (radius `lower`) and height/2 (radius `upper`, 0 for a
/// cone) by about so many triangles; corners on the surface.
TriangleMesh roundSurface(double lower, double upper, double height, int triangles);

}  // namespace prophet

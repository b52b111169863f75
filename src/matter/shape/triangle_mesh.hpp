#pragma once
#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace prophet {

/// A closed surface of flat triangles; lengths in angstrom. Vertices in counter-clockwise order seen from
/// outside.
struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::string description;
  std::size_t otherNormals = 0;  ///< facets of STL whose normals contradict the order of their vertices

  /// Volume inside; negative where the triangles are ordered the other way.
  double volume() const;
  double area() const;
};

/// Joins vertices at the same place (to 1e-9 of the mesh's size), takes away triangles without area, and
/// turns all triangles where the volume is negative. Throws Error for a mesh without triangles, with numbers
/// that are none, or that is not closed: every edge must belong to as many triangles in one direction as in
/// the other.
void repair(TriangleMesh& mesh);

/// Triangles cut into n^2 each, n from 1 on.
TriangleMesh subdivided(const TriangleMesh& mesh, int n);

/// Triangles of the planes at which a body is cut: few, or about as long as the others.
enum class CutFaces { Coarse, Fine };

/// The part of the inside with low <= r.direction <= high as a closed surface, without triangles where there
/// is none. `direction` has the length 1, limits may be infinite. Triangles that cross a plane are cut, and
/// what is open then is closed by oriented triangles in the plane from one point to every edge of the
/// boundary: where boundaries are not convex, several, or around holes, these overlap with opposite
/// orientations, so that all integrals over the surface are those of the part. Vertices within 1e-9 of the
/// mesh's size from a plane count as on it. The result need not fulfil repair().
TriangleMesh slab(const TriangleMesh& mesh, const Eigen::Vector3d& direction, double low, double high,
                  CutFaces faces = CutFaces::Coarse);

/// One term of the sum over triangles of A. Sarje et al., SC 2012: the area, the normal and the centre of a
/// triangle.
struct SurfaceElement {
  double area;
  Eigen::Vector3d normal, centre;
};

/// Throws Error for a surface that is not closed, as sum of area times normal shows (to 1e-6 of the area).
std::vector<SurfaceElement> surfaceElements(const TriangleMesh& mesh);

/// Reads a surface from .stl (binary or text), .obj or .ply (text, or binary of either byte order); faces
/// with more corners are cut into triangles around their first one. Lengths are `unit` angstrom. The mesh is
/// repaired. Throws Error with file and, for text, line.
TriangleMesh readMesh(const std::string& path, double unit = 1);

// The formats by themselves; `text` is the file's content.
TriangleMesh parseStl(const std::string& text);
TriangleMesh parseObj(const std::string& text);
TriangleMesh parsePly(const std::string& text);

}  // namespace prophet

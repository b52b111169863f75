#include "matter/shape/round_surfaces.hpp"

#include <algorithm>
#include <cmath>

#include "core/common/math_constants.hpp"

namespace prophet {

TriangleMesh sphereSurface(double radius, int triangles) {
  TriangleMesh octahedron;
  octahedron.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  octahedron.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                          {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  TriangleMesh mesh =
      subdivided(octahedron, std::max(1, static_cast<int>(std::lround(std::sqrt(triangles / 8.0)))));
  for (Eigen::Vector3d& v : mesh.vertices) v *= radius / v.norm();
  repair(mesh);
  return mesh;
}

TriangleMesh roundSurface(double lower, double upper, double height, int triangles) {
  // Rings of points from the middle of the base along its radius, up the side and to the middle of the top.
  struct Ring {
    double radius, z;
  };
  const double side = std::hypot(height, lower - upper), length = lower + side + upper;
  const double around = constants::kPi * (lower + upper);
  const int sectors =
      std::max(6, static_cast<int>(std::lround(std::sqrt(0.5 * triangles * around / length))));
  const auto pieces = [&](double part) {
    return std::max(1, static_cast<int>(std::lround(0.5 * triangles / sectors * part / length)));
  };
  std::vector<Ring> rings{{0, -0.5 * height}};
  const auto add = [&](Ring to, double part) {
    const Ring from = rings.back();
    const int count = pieces(part);
    for (int i = 1; i <= count; ++i) {
      const double t = static_cast<double>(i) / count;
      rings.push_back({from.radius + t * (to.radius - from.radius), from.z + t * (to.z - from.z)});
    }
  };
  add({lower, -0.5 * height}, lower);
  add({upper, 0.5 * height}, side);
  if (upper > 0) add({0, 0.5 * height}, upper);
  TriangleMesh mesh;
  for (const Ring& ring : rings) {
    for (int s = 0; s < sectors; ++s) {
      const double angle = 2 * constants::kPi * s / sectors;
      mesh.vertices.emplace_back(ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.z);
    }
  }
  for (int r = 0; r + 1 < static_cast<int>(rings.size()); ++r) {
    for (int s = 0; s < sectors; ++s) {
      const int a = r * sectors + s, b = r * sectors + (s + 1) % sectors, c = a + sectors, d = b + sectors;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  repair(mesh);
  return mesh;
}

}  // namespace prophet

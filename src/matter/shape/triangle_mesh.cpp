#include "matter/shape/triangle_mesh.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kSamePlace = 1e-9;

struct Box {
  Eigen::Vector3d low, high;
};

Box boxOf(const TriangleMesh& mesh) {
  Box box{mesh.vertices.front(), mesh.vertices.front()};
  for (const Eigen::Vector3d& v : mesh.vertices) {
    if (!v.allFinite()) throw Error("a vertex of the mesh is no number");
    box.low = box.low.cwiseMin(v);
    box.high = box.high.cwiseMax(v);
  }
  return box;
}

/// Vertices in order of x, joined where they are at the same place; the number of each old one in the new
/// list.
std::vector<int> joinVertices(TriangleMesh& mesh) {
  const Box box = boxOf(mesh);
  const double size = (box.high - box.low).norm();
  if (!(size > 0)) throw Error("all vertices of the mesh are at one place");
  const double near = kSamePlace * size;
  std::vector<int> order(mesh.vertices.size()), number(mesh.vertices.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto at = [&](int i) -> const Eigen::Vector3d& { return mesh.vertices[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return at(a)(0) < at(b)(0); });
  std::vector<Eigen::Vector3d> joined;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (number[static_cast<std::size_t>(order[i])] >= 0) continue;
    const int own = static_cast<int>(joined.size());
    joined.push_back(at(order[i]));
    for (std::size_t j = i; j < order.size() && at(order[j])(0) - at(order[i])(0) <= near; ++j) {
      int& other = number[static_cast<std::size_t>(order[j])];
      if (other < 0 && (at(order[j]) - at(order[i])).norm() <= near) other = own;
    }
  }
  mesh.vertices = std::move(joined);
  return number;
}

void requireClosed(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;  // each direction against the other
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  const auto open = std::count_if(edges.begin(), edges.end(), [](const auto& e) { return e.second != 0; });
  if (open > 0)
    throw Error(fmt::format(
        "the surface is not closed: {} of its {} edges lack a triangle on one side, or triangles there are "
        "ordered differently; repair the mesh in the program that made it",
        open, edges.size()));
}

}  // namespace

double TriangleMesh::volume() const {
  double sum = 0;
  if (vertices.empty()) return 0;
  const Eigen::Vector3d& origin = vertices.front();
  for (const auto& t : triangles) {
    const Eigen::Vector3d a = vertices[static_cast<std::size_t>(t[0])] - origin,
                          b = vertices[static_cast<std::size_t>(t[1])] - origin,
                          c = vertices[static_cast<std::size_t>(t[2])] - origin;
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

double TriangleMesh::area() const {
  double sum = 0;
  for (const auto& t : triangles) {
    const Eigen::Vector3d& a = vertices[static_cast<std::size_t>(t[0])];
    sum += 0.5 * (vertices[static_cast<std::size_t>(t[1])] - a)
                     .cross(vertices[static_cast<std::size_t>(t[2])] - a)
                     .norm();
  }
  return sum;
}

void repair(TriangleMesh& mesh) {
  if (mesh.triangles.empty() || mesh.vertices.empty()) throw Error("the mesh has no triangles");
  for (const auto& t : mesh.triangles) {
    for (const int v : t) {
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size())
        throw Error("a triangle names a vertex that the mesh lacks");
    }
  }
  const std::vector<int> number = joinVertices(mesh);
  std::vector<std::array<int, 3>> kept;
  for (auto t : mesh.triangles) {
    for (int& v : t) v = number[static_cast<std::size_t>(v)];
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) kept.push_back(t);
  }
  mesh.triangles = std::move(kept);
  if (mesh.triangles.empty()) throw Error("no triangle of the mesh has an area");
  requireClosed(mesh);
  const double volume = mesh.volume();
  if (volume == 0) throw Error("the surface has no volume inside");
  if (volume < 0) {
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  }
}

TriangleMesh subdivided(const TriangleMesh& mesh, int n) {
  TriangleMesh fine;
  fine.description = mesh.description;
  const auto vertex = [&](int i) -> const Eigen::Vector3d& {
    return mesh.vertices[static_cast<std::size_t>(i)];
  };
  for (const auto& t : mesh.triangles) {
    const int first = static_cast<int>(fine.vertices.size());
    const auto number = [&](int i, int j) { return first + i * (i + 1) / 2 + j; };  // row i has i + 1 points
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= i; ++j)
        fine.vertices.push_back(((n - i) * vertex(t[0]) + (i - j) * vertex(t[1]) + j * vertex(t[2])) / n);
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        fine.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
        if (j < i) fine.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
      }
    }
  }
  return fine;
}

std::vector<SurfaceElement> surfaceElements(const TriangleMesh& mesh) {
  std::vector<SurfaceElement> elements;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d &a = mesh.vertices[static_cast<std::size_t>(t[0])],
                          &b = mesh.vertices[static_cast<std::size_t>(t[1])],
                          &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    const Eigen::Vector3d cross = 0.5 * (b - a).cross(c - a);
    const double size = cross.norm();
    if (size == 0) continue;
    elements.push_back({size, cross / size, (a + b + c) / 3});
    sum += cross;
    area += size;
  }
  if (!(sum.norm() <= 1e-6 * area))
    throw Error("the surface is not closed: its areas times normals do not add up to zero");
  return elements;
}

}  // namespace prophet

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "matter/shape/triangle_mesh.hpp"

namespace prophet {
namespace {

/// Cuts one mesh by one plane.
class PlaneCut {
 public:
  PlaneCut(const TriangleMesh& mesh, const Eigen::Vector3d& normal, double height)
      : mesh_(mesh), distance_(mesh.vertices.size()), number_(mesh.vertices.size(), -1) {
    constexpr double kOnPlane = 1e-9;
    double largest = 0;
    for (const Eigen::Vector3d& v : mesh.vertices)
      largest = std::max(largest, (v - mesh.vertices.front()).norm());
    for (std::size_t i = 0; i < distance_.size(); ++i) {
      const double d = normal.dot(mesh.vertices[i]) - height;
      distance_[i] = std::abs(d) <= kOnPlane * largest ? 0 : d;
    }
  }

  TriangleMesh below(double edge) {
    part_.description = mesh_.description;
    for (const auto& t : mesh_.triangles) add(t);
    close(edge);
    return std::move(part_);
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  double distance(int vertex) const { return distance_[index(vertex)]; }

  /// What lies below of one triangle. Those in the plane are left out: the boundary of the others says what
  /// of the plane belongs to the surface.
  void add(const std::array<int, 3>& t) {
    if (std::ranges::none_of(t, [&](int v) { return distance(v) < 0; })) return;
    struct Corner {
      int vertex;
      bool onPlane;
    };
    std::vector<Corner> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (distance(a) <= 0) corners.push_back({kept(a), distance(a) == 0});
      if (distance(a) * distance(b) < 0) corners.push_back({crossing(a, b), true});
    }
    for (std::size_t k = 1; k + 1 < corners.size(); ++k)
      part_.triangles.push_back({corners[0].vertex, corners[k].vertex, corners[k + 1].vertex});
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Corner &a = corners[k], &b = corners[(k + 1) % corners.size()];
      if (!a.onPlane || !b.onPlane || a.vertex == b.vertex) continue;
      // An edge between two triangles that are both below is no boundary.
      if (const auto back = boundary_.find({b.vertex, a.vertex}); back != boundary_.end()) {
        if (--back->second == 0) boundary_.erase(back);
      } else {
        ++boundary_[{a.vertex, b.vertex}];
      }
    }
  }

  int kept(int vertex) {
    int& own = number_[index(vertex)];
    if (own < 0) own = newVertex(mesh_.vertices[index(vertex)]);
    return own;
  }

  /// Where an edge meets the plane, one vertex for both triangles of the edge.
  int crossing(int a, int b) {
    if (a > b) std::swap(a, b);
    const auto [found, isNew] = crossings_.try_emplace({a, b}, 0);
    if (isNew) {
      const double share = distance(a) / (distance(a) - distance(b));
      const Eigen::Vector3d &from = mesh_.vertices[index(a)], &to = mesh_.vertices[index(b)];
      found->second = newVertex(from + share * (to - from));
    }
    return found->second;
  }

  int newVertex(const Eigen::Vector3d& place) {
    part_.vertices.push_back(place);
    return static_cast<int>(part_.vertices.size()) - 1;
  }

  void close(double edge) {
    if (boundary_.empty()) return;
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const auto& [ends, count] : boundary_) middle += part_.vertices[index(ends.first)];
    middle /= static_cast<double>(boundary_.size());
    const int centre = newVertex(middle);
    for (const auto& [ends, count] : boundary_)
      for (int i = 0; i < count; ++i) addSector(centre, ends.second, ends.first, edge);
  }

  /// The triangle centre, a, b, by lines parallel to a-b in pieces no longer than `edge` from the centre on.
  void addSector(int centre, int a, int b, double edge) {
    const Eigen::Vector3d middle = part_.vertices[index(centre)], toA = part_.vertices[index(a)] - middle,
                          toB = part_.vertices[index(b)] - middle;
    constexpr double kMostPieces = 1000;
    const int pieces = edge > 0 ? static_cast<int>(std::clamp(
                                      std::ceil(std::max(toA.norm(), toB.norm()) / edge), 1.0, kMostPieces))
                                : 1;
    int innerA = centre, innerB = centre;
    for (int i = 1; i <= pieces; ++i) {
      const double share = static_cast<double>(i) / pieces;
      const int outerA = i == pieces ? a : newVertex(middle + share * toA),
                outerB = i == pieces ? b : newVertex(middle + share * toB);
      part_.triangles.push_back({innerA, outerA, outerB});
      if (i > 1) part_.triangles.push_back({innerA, outerB, innerB});
      innerA = outerA;
      innerB = outerB;
    }
  }

  const TriangleMesh& mesh_;
  std::vector<double> distance_;  ///< of the vertices above the plane
  std::vector<int> number_;       ///< of the mesh's vertices in the part
  TriangleMesh part_;
  std::map<std::pair<int, int>, int> crossings_;
  std::map<std::pair<int, int>, int> boundary_;  ///< directed edges in the plane, and how often
};

}  // namespace

TriangleMesh slab(const TriangleMesh& mesh, const Eigen::Vector3d& direction, double low, double high,
                  CutFaces faces) {
  if (mesh.triangles.empty()) return {};
  // The edge of an equilateral triangle of the mean area.
  const double edge = faces == CutFaces::Coarse
                          ? 0
                          : 1.5 * std::sqrt(mesh.area() / static_cast<double>(mesh.triangles.size()));
  TriangleMesh part = std::isfinite(high) ? PlaneCut(mesh, direction, high).below(edge) : mesh;
  if (std::isfinite(low) && !part.triangles.empty()) part = PlaneCut(part, -direction, -low).below(edge);
  return part;
}

}  // namespace prophet

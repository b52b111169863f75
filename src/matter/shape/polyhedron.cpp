#include "matter/shape/polyhedron.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "matter/shape/exponential_differences.hpp"

namespace prophet {

Polyhedron::Polyhedron(const TriangleMesh& mesh) : vertices_(mesh.vertices) {
  Eigen::Vector3d low = vertices_.front(), high = low;
  for (const Eigen::Vector3d& v : vertices_) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  centre_ = 0.5 * (low + high);
  radius_ = 0.5 * (high - low).norm();
  for (Eigen::Vector3d& v : vertices_) v -= centre_;
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d &a = vertices_[static_cast<std::size_t>(t[0])],
                          &b = vertices_[static_cast<std::size_t>(t[1])],
                          &c = vertices_[static_cast<std::size_t>(t[2])];
    faces_.push_back({t, (b - a).cross(c - a), a.dot(b.cross(c))});
  }
}

std::complex<double> Polyhedron::formFactor(const Eigen::Vector3d& q) const {
  constexpr double kLongWave = 2;
  const double square = q.squaredNorm();
  const bool byTetrahedra = square * radius_ * radius_ < kLongWave * kLongWave;
  std::complex<double> sum = 0;
  for (const Face& face : faces_) {
    const double a = q.dot(vertices_[static_cast<std::size_t>(face.corners[0])]),
                 b = q.dot(vertices_[static_cast<std::size_t>(face.corners[1])]),
                 c = q.dot(vertices_[static_cast<std::size_t>(face.corners[2])]);
    if (byTetrahedra) {
      sum += face.sixVolumes * exponentialDifference(0, a, b, c);
    } else {
      sum += q.dot(face.twiceArea) * exponentialDifference(a, b, c);
    }
  }
  if (!byTetrahedra) sum /= std::complex<double>(0, square);
  return std::polar(1.0, q.dot(centre_)) * sum;
}

}  // namespace prophet

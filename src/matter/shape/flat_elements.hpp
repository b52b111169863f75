#pragma once
#include <Eigen/Core>
#include <vector>

#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// What the phases along a surface take of triangles, number by number for loops that compilers vectorise.
class FlatElements {
 public:
  explicit FlatElements(const std::vector<SurfaceElement>& elements);

  Eigen::Index size() const { return static_cast<Eigen::Index>(x_.size()); }
  /// The sum of area times normal, zero for a closed surface.
  const Eigen::Vector3d& area() const { return area_; }
  /// For `count` elements from number `first` on with q = (qx, qy): cos(q.r), sin(q.r), and both times area
  /// q.n, one after the other.
  void phases(int first, int count, const double* q, double* out) const;

 private:
  std::vector<double> x_, y_, nx_, ny_;  ///< centres in quarter turns for q = 1/angstrom; area times normal
  Eigen::Vector3d area_ = Eigen::Vector3d::Zero();
};

}  // namespace prophet

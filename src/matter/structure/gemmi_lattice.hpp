#pragma once
#include <Eigen/Core>
#include <gemmi/unitcell.hpp>

namespace prophet {

/// Lengths of cells, angstrom.
inline constexpr double kShortestEdge = 0.5, kLongestEdge = 1e5;

/// Rows a, b, c, angstrom.
inline Eigen::Matrix3d latticeOf(const gemmi::UnitCell& cell) {
  Eigen::Matrix3d rows;
  for (int i = 0; i < 3; ++i) {
    const gemmi::Position p =
        cell.orthogonalize(gemmi::Fractional(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0));
    rows.row(i) << p.x, p.y, p.z;
  }
  return rows;
}

}  // namespace prophet

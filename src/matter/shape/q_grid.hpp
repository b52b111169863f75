#pragma once
#include <Eigen/Core>
#include <array>
#include <complex>
#include <string>
#include <vector>

namespace prophet {

/// Equidistant numbers: start, ..., stop; one number where count is 1.
struct QAxis {
  double start = 0, stop = 0;
  int count = 1;

  double step() const { return count > 1 ? (stop - start) / (count - 1) : 0.0; }
  double operator[](int i) const { return i == count - 1 && count > 1 ? stop : start + i * step(); }
  std::vector<double> values() const;
  /// The points [first, first + size).
  QAxis part(int first, int size) const { return {(*this)[first], (*this)[first + size - 1], size}; }
};

/// A regular grid of momentum transfers, 1/angstrom; arrays over it are nx x ny x nz with z fastest.
struct QGrid {
  std::array<QAxis, 3> axes;

  std::size_t size() const;
  /// The planes [first, first + count) of the first axis.
  QGrid planes(int first, int count) const;
  Eigen::Vector3d point(int x, int y, int z) const { return {axes[0][x], axes[1][y], axes[2][z]}; }
};

/// "-1:1:64" (START:STOP:COUNT) or one number, each within -1e4 ... 1e4; errors call a number what `quantity`
/// says ("momentum transfer (1/angstrom)"). Throws Error.
QAxis parseAxis(const std::string& text, const std::string& quantity);

/// "-1:1:64,-1:1:64,0.1:1:32" (START:STOP:COUNT for each axis; a single number is an axis of one point).
/// Throws Error.
QGrid parseQGrid(const std::string& text);

/// Any list of momentum transfers, 1/angstrom, one column each.
using QPoints = Eigen::Matrix3Xd;

/// All points of a grid in the order of its arrays.
QPoints pointsOf(const QGrid& grid);

using FormFactor = std::vector<std::complex<double>>;

}  // namespace prophet

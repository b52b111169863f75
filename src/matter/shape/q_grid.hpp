#pragma once
#include <Eigen/Core>
#include <array>
#include <complex>
#include <string>
#include <vector>

#include "core/common/large_vector.hpp"

namespace prophet {

/// Numbers that increase: start, ..., stop, equidistant unless they are listed; one number where count is 1.
struct QAxis {
  double start = 0, stop = 0;
  int count = 1;
  std::vector<double> list{};  ///< all of them where they are not equidistant
  std::string file{};          ///< where they were read; empty: from no file

  bool isRegular() const { return list.empty(); }
  /// From each of equidistant numbers to the next.
  double step() const { return count > 1 ? (stop - start) / (count - 1) : 0.0; }
  double operator[](int i) const {
    if (!isRegular()) return list[static_cast<std::size_t>(i)];
    return i == count - 1 && count > 1 ? stop : start + i * step();
  }
  std::vector<double> values() const;
  /// The points [first, first + size).
  QAxis part(int first, int size) const;
};

/// A grid of momentum transfers, 1/angstrom; arrays over it are nx x ny x nz with z fastest.
struct QGrid {
  std::array<QAxis, 3> axes;

  std::size_t size() const;
  /// Whether all axes are equidistant.
  bool isRegular() const;
  /// The planes [first, first + count) of the first axis.
  QGrid planes(int first, int count) const;
  Eigen::Vector3d point(int x, int y, int z) const { return {axes[0][x], axes[1][y], axes[2][z]}; }
};

/// "-1:1:64" (START:STOP:COUNT), one number, numbers that increase with blanks between them, "0 0.1 0.5", or
/// "@FILE", a column of a file; each within -1e4 ... 1e4. Errors call a number what `quantity` says
/// ("momentum transfer (1/angstrom)") and name its place in a list, or file and line. Throws Error.
QAxis parseAxis(const std::string& text, const std::string& quantity);

/// "-1:1:64,-1:1:64,0.1:1:32": three axes as parseAxis reads them. Throws Error, which names the axis.
QGrid parseQGrid(const std::string& text);

/// Any list of momentum transfers, 1/angstrom, one column each.
using QPoints = Eigen::Matrix3Xd;

/// All points of a grid in the order of its arrays.
QPoints pointsOf(const QGrid& grid);

/// Momenta of the pixels of a detector behind a surface: those of a row have their z components in common,
/// one for each of a few waves; complex where waves decay.
struct QRows {
  static constexpr int kMostWaves = 4;  ///< each of two waves goes up or down

  Eigen::Matrix2Xd along;  ///< qx and qy of each pixel, 1/angstrom
  std::vector<int> first;  ///< the first pixel of each row, and at the end the number of pixels
  Eigen::MatrixXcd z;      ///< (wave, row), one to four waves

  int waves() const { return static_cast<int>(z.rows()); }
  int rows() const { return static_cast<int>(first.size()) - 1; }
  int pixels() const { return static_cast<int>(along.cols()); }
  /// Whether no wave decays.
  bool isReal() const { return z.imag().isZero(0); }
  Eigen::Vector3cd momentum(int wave, int row, int pixel) const {
    return {along(0, pixel), along(1, pixel), z(wave, row)};
  }
};

/// Pixels of a row, some or all.
struct RowTile {
  int row, first, count;
};

/// All pixels in tiles of up to `most`, in their order.
std::vector<RowTile> tilesOf(const QRows& q, int most);

/// FormFactor(n) has no values yet; FormFactor(n, 0.0) has zeros.
using FormFactor = LargeVector<std::complex<double>>;

/// A beam that grazes a surface z = 0 in the direction x, and a detector behind it. Angles in degrees:
/// `alphaI` between beam and surface, `alphaF` between the scattered wave and the surface, `twoThetaF` of its
/// direction along the surface. Pixels: alphaF x twoThetaF, twoThetaF fastest.
struct Detector {
  double wavelength = 1;  ///< angstrom
  double alphaI = 0;
  QAxis alphaF, twoThetaF;
  /// alphaF and twoThetaF of any pixels, one column each, in the place of the axes; each is a row.
  Eigen::Matrix2Xd list{};

  bool isList() const { return list.cols() > 0; }
  /// Whether pixels are at equal distances.
  bool isRegular() const { return !isList() && alphaF.isRegular() && twoThetaF.isRegular(); }
  int rowCount() const;
  int rowSize() const;
  double waveNumber() const;  ///< 2 pi over the wavelength, 1/angstrom
  std::size_t pixels() const;
  /// alphaF and twoThetaF of a pixel, degrees.
  Eigen::Vector2d pixel(int row, int column) const;
  /// The rows [first, first + count).
  Detector rows(int first, int count) const;
};

/// Throws Error unless the wavelength is above 0 and all angles lie between -90 and 90, alphaI from 0 on.
void check(const Detector& detector);

/// q = k_f - k_i of every pixel, 1/angstrom: k (cos alpha_f cos 2theta_f - cos alpha_i, cos alpha_f sin
/// 2theta_f, sin alpha_f + sin alpha_i).
QPoints momentaOf(const Detector& detector);

/// Neighbours along one direction of an arrangement of particles.
struct Spacing {
  double length = 0;  ///< from one particle to the next on the average, angstrom
  double sigma = 0;   ///< standard deviation of that distance; 0: a lattice
  int count = 1;      ///< of particles
};

/// Particles side by side on a surface.
struct Arrangement {
  std::vector<Spacing> spacings;  ///< none: one particle; else one or two
  double angle = 90;              ///< between the two directions, degrees
  double rotation = 0;            ///< of the first direction from x, degrees
  /// One spacing: chains in all directions along the surface, so that |(qx, qy)| counts instead of q along
  /// the first direction.
  bool radial = false;
};

/// Throws Error for lengths that are not above 0, counts below 1, directions that are parallel.
void check(const Arrangement& arrangement);

/// Scattering of the arrangement for each particle over that of one: |sum exp(i q.R)|^2/N averaged over the
/// ideal paracrystal (R. Hosemann, Z. Phys. 128, 1 (1950)), in which each distance to the next neighbour
/// varies by itself: for each direction 1 + 2 Re sum_n (1 - n/N) P^n with P = exp(i q.a) exp(-(q_x^2 + q_y^2)
/// sigma^2/2), which for sigma = 0 is (sin(N q.a/2)/sin(q.a/2))^2/N.
double interference(const Arrangement& arrangement, const Eigen::Vector3d& q);

}  // namespace prophet

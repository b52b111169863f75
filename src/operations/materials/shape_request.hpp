#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "matter/shape/bodies.hpp"
#include "matter/shape/layers.hpp"
#include "matter/shape/q_grid.hpp"
#include "matter/shape/surface_sum.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

enum class ShapeMethod { Automatic, Exact, Sum, Transform };

/// What a detector takes at once: a beam at alphaI on a sample that is turned by omega, degrees.
struct ShapeImage {
  double alphaI = 0, omega = 0;
};

/// What `shape` computes.
struct ShapeRequest {
  std::string file;                        ///< of a surface or a scene; empty: `body`
  std::optional<Body> body;                ///< a built-in one
  int bodies = 0;                          ///< how many of those are given
  std::optional<double> unit;              ///< of the file's lengths, angstrom
  std::optional<QGrid> grid;               ///< one of three ways to say where: a grid,
  std::optional<QPoints> points;           ///< any points,
  std::optional<QAxis> alphaF, twoThetaF;  ///< a detector, degrees and angstrom,
  std::optional<QAxis> alphaI, omega;
  bool meanOfOmega = false;
  std::optional<double> wavelength;
  std::string pixels, qFile, against;  ///< files of pixels, of points, of either with intensities
  std::optional<Detector> detector;    ///< which follows from these; alphaI of the first image
  Eigen::VectorXd measured, sigma;     ///< of `against`
  bool equalWeights = false, constantBackground = false;
  std::map<std::string, double> optics;         ///< of the substrate below the particle, with a detector
  std::map<std::string, double> bodyOptics;     ///< of a single body
  std::optional<Medium> substrate, bodyMedium;  ///< which follow from these
  Arrangement arrangement;                      ///< of particles side by side
  ShapeMethod method = ShapeMethod::Automatic;
  Precision precision = Precision::Double;
  std::optional<double> tolerance;
  std::optional<int> triangles;
  std::optional<double> memory;  ///< GiB for a tile of the grid
  std::string hdf5, png;
  bool resume = false;

  bool isScene() const;  ///< whether the file is one
  /// Files of axes, which no setting names alone.
  std::vector<std::string> axisFiles() const;
  /// Images, the angles of the beam slowest; of a mean over omega one for each of these. One without a
  /// detector.
  std::vector<ShapeImage> images() const;
  std::vector<double> omegas() const;
  /// Rows of one image: planes of qx, or of alpha_f, or points.
  int rowsOfImage() const;
  int rows() const { return rowsOfImage() * static_cast<int>(images().size()); }
  /// Momenta of a row.
  std::size_t rowSize() const;
  std::size_t size() const { return static_cast<std::size_t>(rows()) * rowSize(); }
  bool isArranged() const { return !arrangement.spacings.empty(); }
  /// The detector of some rows of one image.
  Detector detectorOf(int image, int first, int count) const;
  /// Momenta of some rows, which may be of several images.
  QPoints momenta(int first, int count) const;
  /// Calls visit(image, first row of it, count) for some rows.
  void eachImage(int first, int count, const std::function<void(int, int, int)>& visit) const;
};

/// A momentum seen from a sample that has been turned the other way about z: turned by `angle` degrees.
Eigen::Vector3d turned(const Eigen::Vector3d& q, double angle);

/// Up to so many points are a table of the result.
inline constexpr std::size_t kMostPoints = 1000000;

RequestTable<ShapeRequest> shapeTable();

}  // namespace prophet

#pragma once
#include <optional>
#include <string>

#include "matter/shape/bodies.hpp"
#include "matter/shape/q_grid.hpp"
#include "matter/shape/surface_sum.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

enum class ShapeMethod { Automatic, Exact, Sum, Transform };

/// What `shape` computes.
struct ShapeRequest {
  std::string file;                        ///< of a surface; empty: `body`
  std::optional<Body> body;                ///< a built-in one
  int bodies = 0;                          ///< how many of those are given
  std::optional<double> unit;              ///< of the file's lengths, angstrom
  std::optional<QGrid> grid;               ///< one of three ways to say where: a grid,
  std::optional<QPoints> points;           ///< any points,
  std::optional<QAxis> alphaF, twoThetaF;  ///< a detector, degrees and angstrom,
  std::optional<double> alphaI, wavelength;
  std::optional<Detector> detector;      ///< which follows from these
  std::map<std::string, double> optics;  ///< of the substrate below the particle, with a detector
  std::optional<Substrate> substrate;    ///< which follows from these
  Arrangement arrangement;               ///< of particles side by side
  ShapeMethod method = ShapeMethod::Automatic;
  Precision precision = Precision::Double;
  std::optional<double> tolerance;
  std::optional<int> triangles;
  std::optional<double> memory;  ///< GiB for a tile of the grid
  std::string hdf5, png;
  bool resume = false;

  /// Rows of the first axis: planes of qx, or of alpha_f, or points.
  int rows() const;
  /// Momenta of a row.
  std::size_t rowSize() const;
  std::size_t size() const { return static_cast<std::size_t>(rows()) * rowSize(); }
  bool isArranged() const { return !arrangement.spacings.empty(); }
  /// Momenta of some rows.
  QPoints momenta(int first, int count) const;
};

/// Up to so many points are a table of the result.
inline constexpr std::size_t kMostPoints = 1000000;

RequestTable<ShapeRequest> shapeTable();

}  // namespace prophet

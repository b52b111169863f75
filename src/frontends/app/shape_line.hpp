#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ranks/join.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"
#include "matter/shape/bodies.hpp"
#include "matter/shape/distorted_wave.hpp"
#include "matter/shape/interference.hpp"
#include "matter/shape/shape_engine.hpp"

namespace prophet {

enum class ShapeMethod { Exact, Sum, Transform };

/// The command line of `cudaprophet shape`.
struct ShapeLine {
  std::string help;          ///< to be printed instead of anything else
  std::string file;          ///< of a surface; empty: `body`
  std::optional<Body> body;  ///< a built-in one
  double unit = 1;           ///< of the file's lengths, angstrom
  QGrid grid;
  std::optional<Detector> detector;    ///< instead of `grid`
  std::optional<Substrate> substrate;  ///< below the particle, with a detector
  Arrangement arrangement;             ///< of particles side by side
  std::optional<ShapeMethod> method;
  Precision precision = Precision::Double;
  double tolerance = 1e-6;
  int triangles = 20000;
  double memory = 0;  ///< bytes for a tile of the grid; 0: by the machine
  std::string hdf5File, pngFile;
  CommandFiles files;
  bool resume = false, quiet = false;
  JoinMode mpi = JoinMode::Automatic;
  BackendOptions backend{};
  int threads = 0;  ///< 0: all processors, or this rank's share of them

  /// Rows of the first axis: planes of qx, or of alpha_f.
  int rows() const { return detector ? detector->alphaF.count : grid.axes[0].count; }
  /// Momenta of a row.
  std::size_t rowSize() const;
  bool isArranged() const { return !arrangement.spacings.empty(); }
};

/// Throws UsageError.
ShapeLine parseShapeLine(const std::vector<std::string>& arguments);

}  // namespace prophet

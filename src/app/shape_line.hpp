#pragma once
#include <optional>
#include <string>
#include <vector>

#include "shape/bodies.hpp"
#include "shape/q_grid.hpp"

namespace prophet {

enum class ShapeMethod { Exact, Sum, Transform };

/// The command line of `cudaprophet shape`.
struct ShapeLine {
  std::string help;          ///< to be printed instead of anything else
  std::string file;          ///< of a surface; empty: `body`
  std::optional<Body> body;  ///< a built-in one
  double unit = 1;           ///< of the file's lengths, angstrom
  QGrid grid;
  std::optional<ShapeMethod> method;
  double tolerance = 1e-6;
  int triangles = 20000;
  double memory = 0;  ///< bytes for a block of the grid; 0: by the machine
  std::string hdf5File;
  bool resume = false;
  int threads = 1;
};

/// Throws UsageError.
ShapeLine parseShapeLine(const std::vector<std::string>& arguments);

}  // namespace prophet

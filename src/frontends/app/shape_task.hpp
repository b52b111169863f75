#pragma once
#include <memory>
#include <string>

#include "frontends/app/shape_line.hpp"

namespace prophet {

/// "exact", "sum", "fft".
const char* nameOf(ShapeMethod method);

/// What is transformed, and how.
struct ShapeTask {
  ShapeMethod method = ShapeMethod::Exact;
  std::string description;
  Body body;                             ///< Exact
  std::vector<SurfaceElement> elements;  ///< else
  double bottom = 0;                     ///< its lowest z, angstrom
};

/// Reads or makes the surface. Throws UsageError for a method that the file cannot have, Error for a file
/// that cannot be read.
ShapeTask shapeTask(const ShapeLine& line);

/// Whether the sums are long enough for the start of a GPU.
bool isWorthAGpu(const ShapeTask& task, const ShapeLine& line);

/// F of tiles of rows: on a substrate its four terms together.
class ShapeSum {
 public:
  ShapeSum(const ShapeTask& task, const ShapeLine& line, ShapeEngine& engine, int threads)
      : task_(task), line_(line), engine_(engine), threads_(threads) {}
  FormFactor rows(int first, int count) const;

 private:
  FormFactor at(const QPoints& q) const;

  const ShapeTask& task_;
  const ShapeLine& line_;
  ShapeEngine& engine_;
  int threads_;
};

/// Rows of each tile: as many as fit into the memory, evenly, but enough tiles to show progress in long sums
/// and to share among `ranks`. Throws Error where one row does not fit.
int rowsOfTile(const ShapeTask& task, const ShapeLine& line, int threads, int ranks);

}  // namespace prophet

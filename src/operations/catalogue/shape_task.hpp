#pragma once
#include <memory>
#include <string>

#include "operations/catalogue/shape_request.hpp"

namespace prophet {

/// "exact", "sum", "fft".
const char* nameOf(ShapeMethod method);

/// What is transformed, and how.
struct ShapeTask {
  ShapeMethod method = ShapeMethod::Exact;  ///< never Automatic
  std::string description;
  Body body;                             ///< Exact
  std::vector<SurfaceElement> elements;  ///< else
  double bottom = 0;                     ///< its lowest z, angstrom
};

/// Reads or makes the surface. Throws SettingError for a method that the file cannot have, Error for a file
/// that cannot be read.
ShapeTask shapeTask(const ShapeRequest& request);

/// Seconds that the sums take on two processors, about.
double secondsOnProcessor(const ShapeTask& task, const ShapeRequest& request);

/// F of tiles of rows: on a substrate its four terms together.
class ShapeSum {
 public:
  ShapeSum(const ShapeTask& task, const ShapeRequest& request, ShapeEngine& engine, int threads)
      : task_(task), request_(request), engine_(engine), threads_(threads) {}
  FormFactor rows(int first, int count) const;

 private:
  FormFactor at(const QPoints& q) const;

  const ShapeTask& task_;
  const ShapeRequest& request_;
  ShapeEngine& engine_;
  int threads_;
};

/// Rows of each tile: as many as fit into the memory, evenly, but enough tiles to show progress in long sums
/// and to share among `ranks`. Throws Error where one row does not fit.
int rowsOfTile(const ShapeTask& task, const ShapeRequest& request, int threads, int ranks);

}  // namespace prophet

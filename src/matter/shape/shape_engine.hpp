#pragma once
#include <memory>
#include <string>

#include "matter/shape/surface_sum.hpp"

namespace prophet {

enum class Precision { Single, Double };

/// Where sums over triangles are formed: the processor, or GPUs. All functions throw Error.
class ShapeEngine {
 public:
  virtual ~ShapeEngine() = default;
  /// "CPU, 2 threads", "NVIDIA H200".
  virtual std::string name() const = 0;
  /// As prophet::sumOnGrid, sumAtPoints and transformOnGrid. `precision`: of the terms; sums and results are
  /// in double precision, and the processor computes all in it.
  virtual FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                               Precision precision) = 0;
  virtual FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                                 Precision precision) = 0;
  virtual FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                     double tolerance, Precision precision) = 0;
};

/// The processor.
std::unique_ptr<ShapeEngine> hostShapeEngine(int threads);

}  // namespace prophet

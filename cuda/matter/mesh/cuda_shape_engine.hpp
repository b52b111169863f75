#pragma once
#include <functional>
#include <vector>

#include "matter/shape/surface_sum.hpp"

namespace prophet::cuda {

/// Seconds on the first device, without copies from and to the host.
struct DeviceSeconds {
  double spread = 0, transform = 0, all = 0;
};

/// Told the momenta of a hyperblock before its memory is taken; for tests.
using BeforeBlock = std::function<void(long long momenta)>;

/// Sums over triangles on GPUs, by hyperblocks of the momenta that fit the memory of a device, shared out
/// among all of them; smaller ones where memory is refused. In single precision transforms stay above errors
/// of about 1e-6, and sums of bodies and momenta with phases above 800 are in double precision all the same.
/// Throws CudaError.
class CudaShapeEngine : public ShapeEngine {
 public:
  /// `devices`: their numbers; empty: all. `pointsOfBlock`: momenta of a hyperblock (of a transform: rounded
  /// to planes, one at least); 0: as many as fit.
  explicit CudaShapeEngine(std::vector<int> devices, std::size_t pointsOfBlock = 0, BeforeBlock before = {});

  std::string name() const override;
  FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                       Precision precision) override;
  FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                         Precision precision) override;
  FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision precision) override;

  /// Of the last call.
  const DeviceSeconds& seconds() const { return seconds_; }

 private:
  std::vector<int> devices_;
  std::size_t pointsOfBlock_;
  BeforeBlock before_;
  DeviceSeconds seconds_;
};

}  // namespace prophet::cuda

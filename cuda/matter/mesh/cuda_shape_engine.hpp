#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "matter/shape/surface_sum.hpp"

namespace prophet::cuda {

class ShapeDevice;

/// Seconds of a call: of the first device's kernels (`spread` of a transform are part of `all`), and of the
/// host's clock in it, one after the other: until all was queued, making room for the result, and until that
/// was complete.
struct DeviceSeconds {
  double spread = 0, all = 0;
  double queue = 0, touch = 0, copy = 0;
};

/// Told the momenta of a hyperblock before its memory is taken; for tests.
using BeforeBlock = std::function<void(long long momenta)>;

/// Sums over triangles on GPUs, by hyperblocks of the momenta that fit the memory of a device, shared out
/// among all of them; smaller ones where memory is refused. Sums on grids, and on rows of several waves or
/// waves that decay, are products of matrices in double precision, whatever `precision` is. In single
/// precision transforms stay above errors of about 1e-6, and sums at points with phases above 800 are in
/// double precision all the same. Memory, plans and page-locked buffers are kept for the next call. Throws
/// CudaError.
class CudaShapeEngine : public ShapeEngine {
 public:
  /// `devices`: their numbers; empty: all. `pointsOfBlock`: momenta of a hyperblock (of a transform: rounded
  /// to planes, of a sum on a grid to lines, one at least); 0: as many as fit.
  explicit CudaShapeEngine(std::vector<int> devices, std::size_t pointsOfBlock = 0, BeforeBlock before = {});
  ~CudaShapeEngine() override;

  std::string name() const override;
  FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                       Precision precision) override;
  FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                         Precision precision) override;
  Eigen::MatrixXcd sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q,
                             Precision precision) override;
  FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision precision) override;

  /// The last call took so many.
  const DeviceSeconds& seconds() const { return seconds_; }

 private:
  /// Calls work(device, number of it) for all devices side by side; one that fails keeps nothing.
  void onEach(const std::function<void(ShapeDevice& device, int number)>& work);
  /// The smallest of what `size` gives on each device: all have hyperblocks of one size.
  long long smallest(const std::function<long long(ShapeDevice&)>& size);
  template <class T>
  FormFactor sumAt(const std::vector<SurfaceElement>& elements, const QPoints& q);
  template <class T>
  FormFactor transform(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance);

  std::vector<int> devices_;
  std::size_t pointsOfBlock_;
  BeforeBlock before_;
  std::vector<std::unique_ptr<ShapeDevice>> kept_;
  DeviceSeconds seconds_;
};

}  // namespace prophet::cuda

#pragma once
#include "cuda/matter/mesh/shape_device.hpp"

namespace prophet::cuda {

/// When a transform has begun, and for each component of the normal when spreading (with the sorting before
/// it) began and ended.
struct TransformEvents {
  Event from[3], to[3];

  double spread() const;
};

/// Numbers of elements in the order of the bins of a mesh that they begin in, and these bins.
struct SortedElements {
  SpreadBins bins;
  DeviceBuffer<int> order;
  DeviceBuffer<BinKey> keys;
};
SortedElements sortElements(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements,
                            const TransformPlan& plan);

/// Sums of s (q.n) exp(i q.r) at the points of a grid by three transforms, queued on the device's stream.
/// `elements`: centres in angstrom.
template <class T>
void transformOnDevice(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements, const QGrid& grid,
                       const ExpSqrtKernel& kernel, DeviceBuffer<double2>& sums,
                       const TransformEvents& events);

}  // namespace prophet::cuda

#pragma once
#include "cuda/matter/mesh/cuda_shape_engine.hpp"
#include "cuda/matter/mesh/device_surface.hpp"

namespace prophet::cuda {

/// Sums of s (q.n) exp(i q.r) at the points of a grid by three transforms. `elements`: centres in angstrom.
/// Returns the seconds that the device took.
template <class T>
DeviceSeconds transformOnDevice(const DeviceBuffer<Element<double>>& elements, const QGrid& grid,
                                const ExpSqrtKernel& kernel, DeviceBuffer<double2>& sums,
                                const Stream& stream);

}  // namespace prophet::cuda

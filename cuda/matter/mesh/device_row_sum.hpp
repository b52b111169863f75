#pragma once
#include "cuda/matter/mesh/shape_device.hpp"

namespace prophet::cuda {

/// F at the pixels of some tiles, each with its waves, as prophet::sumOnRows without its long waves; queued
/// on the device's stream. `along`: qx and qy from the first pixel on; `z`: q_z of all rows with their waves.
DeviceBuffer<double2> sumRowsOnDevice(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements,
                                      const SurfaceBox& box, std::vector<RowTile> tiles, const double* along,
                                      const DeviceBuffer<double2>& z, int waves);

}  // namespace prophet::cuda

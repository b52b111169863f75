#pragma once
#include "shape/surface_sum.hpp"

namespace prophet::cuda {

enum class Precision { Single, Double };

/// Seconds on the device, without copies from and to the host.
struct DeviceSeconds {
  double spread = 0, transform = 0, all = 0;
};

/// sumOnGrid on the GPU: one thread for some points, triangles by tiles in shared memory. Long waves are the
/// host's. `keep` false: the numbers stay on the device (for measuring), and the result is empty. Throws
/// CudaError.
FormFactor sumOnDevice(const std::vector<SurfaceElement>& elements, const QGrid& grid, Precision precision,
                       DeviceSeconds* seconds = nullptr, bool keep = true);

/// transformOnGrid on the GPU: atomic additions onto the mesh, and cuFFT. In single precision errors stay
/// above about 1e-6.
FormFactor transformOnDevice(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision precision, DeviceSeconds* seconds = nullptr, bool keep = true);

}  // namespace prophet::cuda

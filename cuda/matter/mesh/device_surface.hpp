#pragma once
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/matter/mesh/shape_kernels.hpp"
#include "matter/shape/surface_sum.hpp"

namespace prophet::cuda {

/// Triangles around the middle of their box; centres in angstrom.
struct CentredElements {
  explicit CentredElements(const std::vector<SurfaceElement>& given);

  std::vector<Element<double>> elements;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0;
};

/// From the sums of s (q.n) exp(i q.r) on the device to F: into `out`, as many as there are momenta.
void finishOnDevice(const CentredElements& body, const Momenta& q, DeviceBuffer<double2>& sums,
                    std::complex<double>* out, cudaStream_t stream);

DeviceGrid deviceGrid(const QGrid& grid);

/// Half of the memory that the current device has left, bytes.
double memoryForBlocks();

}  // namespace prophet::cuda

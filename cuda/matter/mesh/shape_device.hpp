#pragma once
#include <cstddef>
#include <optional>
#include <utility>

#include "cuda/core/common/staged_copies.hpp"
#include "cuda/matter/mesh/check_fft.hpp"
#include "cuda/matter/mesh/shape_kernels.hpp"
#include "matter/shape/surface_sum.hpp"

namespace prophet::cuda {

/// Where a surface is: the middle of the box around its centres, and half its diagonal; angstrom.
struct SurfaceBox {
  /// Looked at by all threads of the pool.
  SurfaceBox(const std::vector<SurfaceElement>& elements, ThreadPool& pool);

  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0;
  Eigen::Vector3d area = Eigen::Vector3d::Zero();  ///< the sum of area times normal, zero if it is closed
};

/// An FFT of one size with its corrections, made once.
struct KeptTransform {
  KeptTransform(const MeshSize& wanted, const ExpSqrtKernel& kernel, bool isSingle, cudaStream_t stream);

  MeshSize modes, mesh;
  std::size_t workBytes = 0;  ///< of memory that each use of the plan needs
  FftPlan fft;
  DeviceBuffer<double> cx, cy, cz;  ///< kernelCorrection along each axis
};

/// What one GPU keeps between calls: stream, memory, page-locked buffers, handles and the last plan. For one
/// thread, on whose current device it works.
class ShapeDevice {
 public:
  /// `threads` of the host for copies.
  explicit ShapeDevice(int threads) : copies_(threads), pool_(stream_.get()) {}

  template <class T>
  DeviceBuffer<T> make(std::size_t size) const {
    return DeviceBuffer<T>(size, pool_);
  }
  /// Values of the host into all of a buffer; the host's may change at once.
  template <class T>
  void upload(const DeviceBuffer<T>& to, const void* from) {
    copies_.upload(const_cast<T*>(to.data()), from, to.size() * sizeof(T), stream());
  }
  /// Triangles with their centres from that of the box.
  DeviceBuffer<Element<double>> upload(const std::vector<SurfaceElement>& elements, const SurfaceBox& box);

  /// Queues what makes F of the sums of s (q.n) exp(i q.r), in their place.
  void finish(const DeviceBuffer<Element<double>>& surface, const SurfaceBox& box, const Momenta& q,
              DeviceBuffer<double2>& sums) const;

  /// Bytes for buffers of this device, its own unused memory among them; others are asked to give back what
  /// they do not use where less than `wanted` is left.
  double memoryLeft(double wanted) const;

  const KeptTransform& transform(const MeshSize& modes, const ExpSqrtKernel& kernel, bool isSingle);
  cublasHandle_t blas();
  cudaStream_t stream() const { return stream_.get(); }
  StagedCopies& copies() { return copies_; }

 private:
  Stream stream_;
  StagedCopies copies_;
  DevicePool pool_;
  std::optional<BlasHandle> blas_;
  std::optional<KeptTransform> transform_;
  std::pair<int, bool> key_;  ///< width of the kernel, single precision
};

DeviceGrid deviceGrid(const QGrid& grid);
inline double3 toDouble3(const Eigen::Vector3d& v) { return {v(0), v(1), v(2)}; }

}  // namespace prophet::cuda

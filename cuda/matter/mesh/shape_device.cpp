#include "cuda/matter/mesh/shape_device.hpp"

#include <algorithm>
#include <mutex>

namespace prophet::cuda {
namespace {

DeviceAxis deviceAxis(const QAxis& a) { return {a.start, a.step(), a.count}; }

}  // namespace

SurfaceBox::SurfaceBox(const std::vector<SurfaceElement>& elements, ThreadPool& pool) {
  if (elements.empty()) return;
  constexpr std::size_t kShare = 1 << 16;
  Eigen::Vector3d low = elements.front().centre, high = low;
  std::mutex mutex;
  std::vector<Eigen::Vector3d> areas((elements.size() + kShare - 1) / kShare);
  pool.forEach(static_cast<int>(areas.size()), [&](int i, int) {
    const std::size_t first = static_cast<std::size_t>(i) * kShare,
                      last = std::min(elements.size(), first + kShare);
    Eigen::Vector3d least = elements[first].centre, most = least, sum = Eigen::Vector3d::Zero();
    for (std::size_t t = first; t < last; ++t) {
      sum += elements[t].area * elements[t].normal;
      least = least.cwiseMin(elements[t].centre);
      most = most.cwiseMax(elements[t].centre);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    low = low.cwiseMin(least);
    high = high.cwiseMax(most);
    areas[static_cast<std::size_t>(i)] = sum;
  });
  for (const Eigen::Vector3d& sum : areas) area += sum;
  centre = 0.5 * (low + high);
  radius = 0.5 * (high - low).norm();
}

DeviceGrid deviceGrid(const QGrid& g) {
  return {deviceAxis(g.axes[0]), deviceAxis(g.axes[1]), deviceAxis(g.axes[2])};
}

KeptTransform::KeptTransform(const MeshSize& wanted, const ExpSqrtKernel& kernel, bool isSingle,
                             cudaStream_t stream)
    : modes(wanted),
      mesh(nufftMesh(modes, kernel)),
      fft({mesh[0], mesh[1], mesh[2]}, isSingle ? CUFFT_C2C : CUFFT_Z2Z, stream, workBytes),
      cx(kernelCorrection(kernel, mesh[0], modes[0] / 2)),
      cy(kernelCorrection(kernel, mesh[1], modes[1] / 2)),
      cz(kernelCorrection(kernel, mesh[2], modes[2] / 2)) {}

DeviceBuffer<Element<double>> ShapeDevice::upload(const std::vector<SurfaceElement>& elements,
                                                  const SurfaceBox& box) {
  static_assert(sizeof(SurfaceElement) == kSurfaceNumbers * sizeof(double) &&
                offsetof(SurfaceElement, normal) == sizeof(double));
  const DeviceBuffer<double> given = make<double>(kSurfaceNumbers * elements.size());
  DeviceBuffer<Element<double>> surface = make<Element<double>>(elements.size());
  if (elements.empty()) return surface;
  upload(given, elements.data());
  launchCentring(given.data(), static_cast<int>(elements.size()), toDouble3(box.centre), surface.data(),
                 stream());
  return surface;
}

void ShapeDevice::finish(const DeviceBuffer<Element<double>>& surface, const SurfaceBox& box,
                         const Momenta& q, DeviceBuffer<double2>& sums) const {
  DeviceBuffer<int> longWaves = make<int>(static_cast<std::size_t>(q.count)), found = make<int>(1);
  found.fill(0, stream());
  const double3 centre = toDouble3(box.centre);
  launchFinish(q, centre, box.radius, sums.data(), longWaves.data(), found.data(), stream());
  launchLongWaves(surface.data(), static_cast<int>(surface.size()), q, centre, longWaves.data(), found.data(),
                  sums.data(), stream());
}

double ShapeDevice::memoryLeft(double wanted) const {
  const double unused = static_cast<double>(pool_.unused());
  if (unused >= wanted) return unused;
  const double left = static_cast<double>(freeDeviceMemory(wanted - unused));
  return left + static_cast<double>(pool_.unused());
}

const KeptTransform& ShapeDevice::transform(const MeshSize& modes, const ExpSqrtKernel& kernel,
                                            bool isSingle) {
  const auto key = std::pair(kernel.width, isSingle);
  if (!transform_ || key_ != key || transform_->modes != modes) {
    transform_.reset();
    transform_.emplace(modes, kernel, isSingle, stream());
    key_ = key;
  }
  return *transform_;
}

cublasHandle_t ShapeDevice::blas() {
  if (!blas_) blas_.emplace(stream());
  return blas_->get();
}

}  // namespace prophet::cuda

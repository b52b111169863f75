#include "cuda/matter/mesh/device_surface.hpp"

#include <limits>

namespace prophet::cuda {
namespace {

double3 toDouble3(const Eigen::Vector3d& v) { return {v(0), v(1), v(2)}; }

DeviceAxis deviceAxis(const QAxis& a) { return {a.start, a.step(), a.count}; }

}  // namespace

CentredElements::CentredElements(const std::vector<SurfaceElement>& given) {
  if (given.empty()) return;
  Eigen::Vector3d low = given.front().centre, high = low;
  for (const SurfaceElement& e : given) {
    low = low.cwiseMin(e.centre);
    high = high.cwiseMax(e.centre);
  }
  centre = 0.5 * (low + high);
  radius = 0.5 * (high - low).norm();
  elements.reserve(given.size());
  for (const SurfaceElement& e : given) {
    const Eigen::Vector3d r = e.centre - centre, n = e.area * e.normal;
    elements.push_back({r(0), r(1), r(2), n(0), n(1), n(2)});
  }
}

DeviceGrid deviceGrid(const QGrid& g) {
  return {deviceAxis(g.axes[0]), deviceAxis(g.axes[1]), deviceAxis(g.axes[2])};
}

double memoryForBlocks() {
  // All of it: spare memory is given back for this.
  return 0.5 * static_cast<double>(freeDeviceMemory(std::numeric_limits<double>::infinity()));
}

void finishOnDevice(const CentredElements& body, const Momenta& q, DeviceBuffer<double2>& sums,
                    std::complex<double>* out, cudaStream_t stream) {
  DeviceBuffer<int> longWaves(static_cast<std::size_t>(q.count)), found(1);
  found.fill(0, stream);
  const double3 centre = toDouble3(body.centre);
  launchFinish(q, centre, body.radius, sums.data(), longWaves.data(), found.data(), stream);
  const int count = found.download(stream).front();
  if (count > 0) {
    const DeviceBuffer<Element<double>> elements(body.elements);
    launchLongWaves(elements.data(), static_cast<int>(body.elements.size()), q, centre, longWaves.data(),
                    count, sums.data(), stream);
    PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  static_assert(sizeof(double2) == sizeof(std::complex<double>));
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(out, sums.data(), static_cast<std::size_t>(q.count) * sizeof(double2),
                                     cudaMemcpyDeviceToHost, stream));
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace prophet::cuda

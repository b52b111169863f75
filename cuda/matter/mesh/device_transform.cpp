#include "cuda/matter/mesh/device_transform.hpp"

namespace prophet::cuda {
namespace {

void transform(const FftPlan& plan, float2* mesh) {
  checkFft(cufftExecC2C(plan.get(), mesh, mesh, CUFFT_INVERSE), "cufftExecC2C");
}
void transform(const FftPlan& plan, double2* mesh) {
  checkFft(cufftExecZ2Z(plan.get(), mesh, mesh, CUFFT_INVERSE), "cufftExecZ2Z");
}

double middleOf(const QAxis& axis) { return axis.start + axis.count / 2 * axis.step(); }

}  // namespace

SortedElements sortElements(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements,
                            const TransformPlan& plan) {
  const int count = static_cast<int>(elements.size());
  SortedElements sorted{binsOf(plan), device.make<int>(elements.size()),
                        device.make<BinKey>(elements.size())};
  DeviceBuffer<BinKey> keys = device.make<BinKey>(elements.size());
  DeviceBuffer<int> numbers = device.make<int>(elements.size());
  launchBins(elements.data(), count, plan, sorted.bins, keys.data(), numbers.data(), device.stream());
  const auto sort = [&](void* room, std::size_t bytes) {
    return sortByBin(room, bytes, keys.data(), sorted.keys.data(), numbers.data(), sorted.order.data(), count,
                     sorted.bins, device.stream());
  };
  DeviceBuffer<char> room = device.make<char>(sort(nullptr, 0));
  sort(room.data(), room.size());
  return sorted;
}

double TransformEvents::spread() const {
  double sum = 0;
  for (int d = 0; d < 3; ++d) sum += to[d].secondsSince(from[d]);
  return sum;
}

template <class T>
void transformOnDevice(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements, const QGrid& grid,
                       const ExpSqrtKernel& kernel, DeviceBuffer<double2>& sums,
                       const TransformEvents& events) {
  const auto& [x, y, z] = grid.axes;
  const KeptTransform& kept = device.transform({x.count, y.count, z.count}, kernel, sizeof(T) == 4);
  const MeshSize& n = kept.mesh;
  const int count = static_cast<int>(elements.size());
  const std::size_t size = elements.size();
  const cudaStream_t stream = device.stream();
  const TransformPlan plan{kernel,
                           {n[0], n[1], n[2]},
                           {middleOf(x), middleOf(y), middleOf(z)},
                           {x.step(), y.step(), z.step()},
                           kept.cx.data(),
                           kept.cy.data(),
                           kept.cz.data()};
  DeviceBuffer<double3> places = device.make<double3>(size);
  DeviceBuffer<Complex<T>> strengths = device.make<Complex<T>>(3 * size),
                           mesh = device.make<Complex<T>>(meshPoints(n));
  DeviceBuffer<char> work = device.make<char>(kept.workBytes);
  checkFft(cufftSetWorkArea(kept.fft.get(), work.data()), "cufftSetWorkArea");
  sums.fill(0, stream);
  events.from[0].record(stream);
  const SortedElements sorted = sortElements(device, elements, plan);
  launchPlaces<T>(elements.data(), sorted.order.data(), count, plan, places.data(), strengths.data(), stream);
  for (std::size_t d = 0; d < 3; ++d) {
    if (d > 0) events.from[d].record(stream);
    mesh.fill(0, stream);
    launchSpreadBins<T>(places.data(), strengths.data() + d * size, sorted.keys.data(), count, plan,
                        sorted.bins, mesh.data(), stream);
    events.to[d].record(stream);
    transform(kept.fft, mesh.data());
    launchCollect<T>(mesh.data(), plan, deviceGrid(grid), static_cast<int>(d), sums.data(), stream);
  }
}

template void transformOnDevice<float>(ShapeDevice&, const DeviceBuffer<Element<double>>&, const QGrid&,
                                       const ExpSqrtKernel&, DeviceBuffer<double2>&, const TransformEvents&);
template void transformOnDevice<double>(ShapeDevice&, const DeviceBuffer<Element<double>>&, const QGrid&,
                                        const ExpSqrtKernel&, DeviceBuffer<double2>&, const TransformEvents&);

}  // namespace prophet::cuda

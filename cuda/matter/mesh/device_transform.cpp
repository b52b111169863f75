#include "cuda/matter/mesh/device_transform.hpp"

#include "cuda/matter/mesh/check_fft.hpp"

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

template <class T>
DeviceSeconds transformOnDevice(const DeviceBuffer<Element<double>>& elements, const QGrid& grid,
                                const ExpSqrtKernel& kernel, DeviceBuffer<double2>& sums,
                                const Stream& stream) {
  const auto& [x, y, z] = grid.axes;
  const MeshSize modes{x.count, y.count, z.count}, n = nufftMesh(modes, kernel);
  const int count = static_cast<int>(elements.size());
  const std::size_t size = elements.size();
  const DeviceBuffer<double> cx(kernelCorrection(kernel, n[0], modes[0] / 2)),
      cy(kernelCorrection(kernel, n[1], modes[1] / 2)), cz(kernelCorrection(kernel, n[2], modes[2] / 2));
  const TransformPlan plan{kernel,
                           {n[0], n[1], n[2]},
                           {middleOf(x), middleOf(y), middleOf(z)},
                           {x.step(), y.step(), z.step()},
                           cx.data(),
                           cy.data(),
                           cz.data()};
  DeviceBuffer<double3> places(size);
  DeviceBuffer<Complex<T>> strengths(3 * size), mesh(meshPoints(n));
  const FftPlan fft({n[0], n[1], n[2]}, sizeof(T) == 4 ? CUFFT_C2C : CUFFT_Z2Z, stream.get());
  const Event begin, end;
  std::vector<Event> from(3), to(3);
  begin.record(stream.get());
  sums.fill(0, stream.get());
  launchPlaces<T>(elements.data(), count, plan, places.data(), strengths.data(), stream.get());
  for (std::size_t d = 0; d < 3; ++d) {
    from[d].record(stream.get());
    mesh.fill(0, stream.get());
    launchSpreadKernel<T>(places.data(), strengths.data() + d * size, count, plan, mesh.data(), stream.get());
    to[d].record(stream.get());
    transform(fft, mesh.data());
    launchCollect<T>(mesh.data(), plan, deviceGrid(grid), static_cast<int>(d), sums.data(), stream.get());
  }
  end.record(stream.get());
  DeviceSeconds seconds;
  seconds.all = end.secondsSince(begin);
  for (std::size_t d = 0; d < 3; ++d) seconds.spread += to[d].secondsSince(from[d]);
  seconds.transform = seconds.all - seconds.spread;
  return seconds;
}

template DeviceSeconds transformOnDevice<float>(const DeviceBuffer<Element<double>>&, const QGrid&,
                                                const ExpSqrtKernel&, DeviceBuffer<double2>&, const Stream&);
template DeviceSeconds transformOnDevice<double>(const DeviceBuffer<Element<double>>&, const QGrid&,
                                                 const ExpSqrtKernel&, DeviceBuffer<double2>&, const Stream&);

}  // namespace prophet::cuda

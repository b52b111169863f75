#include "core/common/constants.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/shape_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

__device__ double placeOf(double r, double step, int n) {
  const double turns = r * step / (2 * constants::kPi), u = (turns - floor(turns)) * n;
  return u < n ? u : 0.0;
}

template <class T>
__global__ void placesKernel(const Element<double>* elements, int count, TransformPlan plan, double3* places,
                             Complex<T>* strengths) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const Element<double> e = elements[i];
    places[i] = {placeOf(e.x, plan.step.x, plan.mesh.x), placeOf(e.y, plan.step.y, plan.mesh.y),
                 placeOf(e.z, plan.step.z, plan.mesh.z)};
    double s, c;
    sincos(plan.middle.x * e.x + plan.middle.y * e.y + plan.middle.z * e.z, &s, &c);
    const double normal[3] = {e.nx, e.ny, e.nz};
    for (int d = 0; d < 3; ++d)
      strengths[1LL * d * count + i] = {static_cast<T>(normal[d] * c), static_cast<T>(normal[d] * s)};
  }
}

__device__ void addPair(float2* to, float2 value) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(to, value);
#else
  atomicAdd(&to->x, value.x);
  atomicAdd(&to->y, value.y);
#endif
}
__device__ void addPair(double2* to, double2 value) {
  atomicAdd(&to->x, value.x);
  atomicAdd(&to->y, value.y);
}

__device__ int wrapped(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

template <class T>
__global__ void spreadKernel(const double3* places, const Complex<T>* strengths, int count,
                             ExpSqrtKernel kernel, int3 n, Complex<T>* mesh) {
  const int lines = kernel.width * kernel.width;
  const long long all = 1LL * count * lines;
  const double half = 0.5 * kernel.width;
  const T shape = static_cast<T>(kernel.shape), scale = static_cast<T>(2.0 / kernel.width);
  const auto value = [&](double distance) {
    const T z = scale * static_cast<T>(distance), rest = T(1) - z * z;
    return rest > T(0) ? exp(shape * (sqrt(rest) - T(1))) : T(0);
  };
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int point = static_cast<int>(i / lines), line = static_cast<int>(i % lines);
    const double3 u = places[point];
    const int x = static_cast<int>(ceil(u.x - half)) + line / kernel.width,
              y = static_cast<int>(ceil(u.y - half)) + line % kernel.width,
              z = static_cast<int>(ceil(u.z - half));
    const T weight = value(x - u.x) * value(y - u.y);
    const Complex<T> c = strengths[point];
    Complex<T>* row = mesh + (1LL * wrapped(x, n.x) * n.y + wrapped(y, n.y)) * n.z;
    for (int k = 0; k < kernel.width; ++k) {
      const T w = weight * value(z + k - u.z);
      addPair(row + wrapped(z + k, n.z), {w * c.x, w * c.y});
    }
  }
}

template <class T>
__global__ void collectKernel(const Complex<T>* mesh, TransformPlan plan, DeviceGrid grid, int axis,
                              double2* sums) {
  const int3 n = plan.mesh;
  const long long size = grid.size();
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += 1LL * gridDim.x * blockDim.x) {
    const int c = static_cast<int>(i % grid.z.count), b = static_cast<int>(i / grid.z.count % grid.y.count),
              a = static_cast<int>(i / grid.z.count / grid.y.count);
    const int kx = a - grid.x.count / 2, ky = b - grid.y.count / 2, kz = c - grid.z.count / 2;
    const Complex<T> mode = mesh[(1LL * (kx < 0 ? kx + n.x : kx) * n.y + (ky < 0 ? ky + n.y : ky)) * n.z +
                                 (kz < 0 ? kz + n.z : kz)];
    const double q = axis == 0 ? grid.x[a] : axis == 1 ? grid.y[b] : grid.z[c];
    const double factor = q * plan.cx[abs(kx)] * plan.cy[abs(ky)] * plan.cz[abs(kz)];
    sums[i].x += factor * mode.x;
    sums[i].y += factor * mode.y;
  }
}

}  // namespace

template <class T>
void launchPlaces(const Element<double>* elements, int count, const TransformPlan& plan, double3* places,
                  Complex<T>* strengths, cudaStream_t stream) {
  placesKernel<T>
      <<<gridFor(count, kThreads), kThreads, 0, stream>>>(elements, count, plan, places, strengths);
  PROPHET_CUDA_CHECK_LAUNCH();
}
template void launchPlaces<float>(const Element<double>*, int, const TransformPlan&, double3*, float2*,
                                  cudaStream_t);
template void launchPlaces<double>(const Element<double>*, int, const TransformPlan&, double3*, double2*,
                                   cudaStream_t);

template <class T>
void launchSpreadKernel(const double3* places, const Complex<T>* strengths, int count,
                        const TransformPlan& plan, Complex<T>* mesh, cudaStream_t stream) {
  const int width = plan.kernel.width;
  spreadKernel<T><<<gridFor(1LL * count * width * width, kThreads), kThreads, 0, stream>>>(
      places, strengths, count, plan.kernel, plan.mesh, mesh);
  PROPHET_CUDA_CHECK_LAUNCH();
}
template void launchSpreadKernel<float>(const double3*, const float2*, int, const TransformPlan&, float2*,
                                        cudaStream_t);
template void launchSpreadKernel<double>(const double3*, const double2*, int, const TransformPlan&, double2*,
                                         cudaStream_t);

template <class T>
void launchCollect(const Complex<T>* mesh, const TransformPlan& plan, const DeviceGrid& grid, int axis,
                   double2* sums, cudaStream_t stream) {
  collectKernel<T><<<gridFor(grid.size(), kThreads), kThreads, 0, stream>>>(mesh, plan, grid, axis, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}
template void launchCollect<float>(const float2*, const TransformPlan&, const DeviceGrid&, int, double2*,
                                   cudaStream_t);
template void launchCollect<double>(const double2*, const TransformPlan&, const DeviceGrid&, int, double2*,
                                    cudaStream_t);

}  // namespace prophet::cuda

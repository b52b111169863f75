#include <cmath>

#include "common/math_constants.hpp"
#include "cuda/common/buffer.hpp"
#include "cuda/common/handles.hpp"
#include "cuda/common/launch.hpp"
#include "cuda/mesh/check_fft.hpp"
#include "cuda/mesh/device_shape.hpp"
#include "mesh/nufft.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 256;  // triangles in shared memory
constexpr int kPointsPerThread = 4;

template <class T>
struct Pair;
template <>
struct Pair<float> {
  using Type = float2;
  static constexpr cufftType kFft = CUFFT_C2C;
};
template <>
struct Pair<double> {
  using Type = double2;
  static constexpr cufftType kFft = CUFFT_Z2Z;
};
template <class T>
using Complex = typename Pair<T>::Type;

/// A triangle: its centre in turns (over 2 pi), and area times normal.
template <class T>
struct Element {
  T x, y, z, nx, ny, nz;
};

/// An axis of the grid on the device: the last point is `stop` itself.
struct Axis {
  double start, step;
  int count;
  __device__ double operator[](int i) const { return start + i * step; }
};
struct Grid {
  Axis x, y, z;
  __host__ __device__ long long size() const { return 1LL * x.count * y.count * z.count; }
  __device__ void point(long long i, double (&q)[3]) const {
    q[2] = z[static_cast<int>(i % z.count)];
    i /= z.count;
    q[1] = y[static_cast<int>(i % y.count)];
    q[0] = x[static_cast<int>(i / y.count)];
  }
};

/// sine and cosine of so many turns.
__device__ void turned(float turns, float& s, float& c) {
  turns -= rintf(turns);
  __sincosf(6.28318530717958648f * turns, &s, &c);
}
__device__ void turned(double turns, double& s, double& c) { sincospi(2 * (turns - rint(turns)), &s, &c); }

template <class T>
__global__ void sumKernel(const Element<T>* elements, int count, Grid grid, Complex<T>* out) {
  __shared__ Element<T> tile[kTile];
  const long long first = (1LL * blockIdx.x * blockDim.x) * kPointsPerThread + threadIdx.x,
                  size = grid.size();
  T q[kPointsPerThread][3], re[kPointsPerThread] = {}, im[kPointsPerThread] = {};
  for (int k = 0; k < kPointsPerThread; ++k) {
    double point[3];
    const long long i = first + 1LL * k * blockDim.x;
    grid.point(i < size ? i : 0, point);
    for (int d = 0; d < 3; ++d) q[k][d] = static_cast<T>(point[d]);
  }
  for (int begin = 0; begin < count; begin += kTile) {
    const int there = min(kTile, count - begin);
    __syncthreads();
    for (int t = threadIdx.x; t < there; t += blockDim.x) tile[t] = elements[begin + t];
    __syncthreads();
    for (int t = 0; t < there; ++t) {
      const Element<T> e = tile[t];
#pragma unroll
      for (int k = 0; k < kPointsPerThread; ++k) {
        T s, c;
        turned(q[k][0] * e.x + q[k][1] * e.y + q[k][2] * e.z, s, c);
        const T weight = q[k][0] * e.nx + q[k][1] * e.ny + q[k][2] * e.nz;
        re[k] += weight * c;
        im[k] += weight * s;
      }
    }
  }
  for (int k = 0; k < kPointsPerThread; ++k) {
    const long long i = first + 1LL * k * blockDim.x;
    if (i < size) out[i] = {re[k], im[k]};
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

/// Points of the mesh that are touched: one thread for a line of `width` points.
template <class T>
__global__ void spreadKernel(const double3* places, const Complex<T>* strengths, int count,
                             ExpSqrtKernel kernel, int3 n, Complex<T>* mesh) {
  const int lines = kernel.width * kernel.width;
  const long long all = 1LL * count * lines;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int point = static_cast<int>(i / lines), line = static_cast<int>(i % lines);
    const double3 u = places[point];
    const double half = 0.5 * kernel.width;
    const int fx = static_cast<int>(ceil(u.x - half)), fy = static_cast<int>(ceil(u.y - half)),
              fz = static_cast<int>(ceil(u.z - half));
    int x = fx + line / kernel.width, y = fy + line % kernel.width;
    const T shape = static_cast<T>(kernel.shape), scale = static_cast<T>(2.0 / kernel.width);
    const auto value = [&](double distance) {
      const T z = scale * static_cast<T>(distance), rest = T(1) - z * z;
      return rest > T(0) ? exp(shape * (sqrt(rest) - T(1))) : T(0);
    };
    const T weight = value(x - u.x) * value(y - u.y);
    const Complex<T> c = strengths[point];
    x = x < 0 ? x + n.x : x >= n.x ? x - n.x : x;
    y = y < 0 ? y + n.y : y >= n.y ? y - n.y : y;
    Complex<T>* row = mesh + (1LL * x * n.y + y) * n.z;
    for (int k = 0; k < kernel.width; ++k) {
      int z = fz + k;
      const T w = weight * value(z - u.z);
      z = z < 0 ? z + n.z : z >= n.z ? z - n.z : z;
      addPair(row + z, {w * c.x, w * c.y});
    }
  }
}

/// out += q_axis times the corrected modes.
template <class T>
__global__ void collectKernel(const Complex<T>* mesh, int3 n, const double* cx, const double* cy,
                              const double* cz, Grid grid, int axis, Complex<T>* out) {
  const long long size = grid.size();
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += 1LL * gridDim.x * blockDim.x) {
    const int c = static_cast<int>(i % grid.z.count), b = static_cast<int>(i / grid.z.count % grid.y.count),
              a = static_cast<int>(i / grid.z.count / grid.y.count);
    const int kx = a - grid.x.count / 2, ky = b - grid.y.count / 2, kz = c - grid.z.count / 2;
    const long long from =
        (1LL * (kx < 0 ? kx + n.x : kx) * n.y + (ky < 0 ? ky + n.y : ky)) * n.z + (kz < 0 ? kz + n.z : kz);
    const double q = axis == 0 ? grid.x[a] : axis == 1 ? grid.y[b] : grid.z[c];
    const T factor = static_cast<T>(q * cx[abs(kx)] * cy[abs(ky)] * cz[abs(kz)]);
    out[i].x += factor * mesh[from].x;
    out[i].y += factor * mesh[from].y;
  }
}

Axis axisOf(const QAxis& a) { return {a.start, a.step(), a.count}; }
Grid gridOf(const QGrid& g) { return {axisOf(g.axes[0]), axisOf(g.axes[1]), axisOf(g.axes[2])}; }

Eigen::Vector3d middleOf(const std::vector<SurfaceElement>& elements) {
  Eigen::Vector3d low = elements.front().centre, high = low;
  for (const SurfaceElement& e : elements) {
    low = low.cwiseMin(e.centre);
    high = high.cwiseMax(e.centre);
  }
  return 0.5 * (low + high);
}

/// What remains to be done with the sums of (q.n) s exp(i q.(r - centre)): phase, 1/(i q^2), and long waves.
template <class T>
FormFactor finished(const DeviceBuffer<Complex<T>>& sums, const std::vector<SurfaceElement>& elements,
                    const QGrid& grid, const Eigen::Vector3d& centre, cudaStream_t stream) {
  const auto values = sums.download(stream);
  double radius = 0;
  for (const SurfaceElement& e : elements) radius = std::max(radius, (e.centre - centre).norm());
  FormFactor f(values.size());
  std::size_t i = 0;
  for (int x = 0; x < grid.axes[0].count; ++x) {
    for (int y = 0; y < grid.axes[1].count; ++y) {
      for (int z = 0; z < grid.axes[2].count; ++z, ++i) {
        const Eigen::Vector3d q = grid.point(x, y, z);
        if (q.norm() * radius < 2) {
          f[i] = sumAtPoints(elements, q).front();
        } else {
          f[i] = std::polar(1.0, q.dot(centre)) * std::complex<double>(values[i].x, values[i].y) /
                 std::complex<double>(0, q.squaredNorm());
        }
      }
    }
  }
  return f;
}

template <class T>
FormFactor sumWith(const std::vector<SurfaceElement>& elements, const QGrid& grid, DeviceSeconds* seconds,
                   bool keep) {
  const Eigen::Vector3d centre = middleOf(elements);
  std::vector<Element<T>> list;
  for (const SurfaceElement& e : elements) {
    const Eigen::Vector3d r = (e.centre - centre) / (2 * constants::kPi), n = e.area * e.normal;
    list.push_back({static_cast<T>(r(0)), static_cast<T>(r(1)), static_cast<T>(r(2)), static_cast<T>(n(0)),
                    static_cast<T>(n(1)), static_cast<T>(n(2))});
  }
  const Stream stream;
  const DeviceBuffer<Element<T>> device(list);
  DeviceBuffer<Complex<T>> out(grid.size());
  const Event begin, end;
  const long long perBlock = 1LL * kThreads * kPointsPerThread;
  const unsigned blocks =
      static_cast<unsigned>((static_cast<long long>(grid.size()) + perBlock - 1) / perBlock);
  begin.record(stream.get());
  sumKernel<T><<<blocks, kThreads, 0, stream.get()>>>(device.data(), static_cast<int>(list.size()),
                                                      gridOf(grid), out.data());
  PROPHET_CUDA_CHECK_LAUNCH();
  end.record(stream.get());
  const double spent = end.secondsSince(begin);
  if (seconds) *seconds = {0, 0, spent};
  return keep ? finished<T>(out, elements, grid, centre, stream.get()) : FormFactor{};
}

template <class T>
FormFactor transformWith(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                         DeviceSeconds* seconds, bool keep) {
  const Eigen::Vector3d centre = middleOf(elements);
  const ExpSqrtKernel kernel = kernelFor(tolerance);
  const MeshSize modes{grid.axes[0].count, grid.axes[1].count, grid.axes[2].count},
      mesh = nufftMesh(modes, kernel);
  Eigen::Vector3d middle, step;
  for (int d = 0; d < 3; ++d) {
    const QAxis& axis = grid.axes[static_cast<std::size_t>(d)];
    step(d) = axis.step();
    middle(d) = axis.start + axis.count / 2 * axis.step();
  }
  const Stream stream;
  const int count = static_cast<int>(elements.size());
  std::vector<double3> places;
  std::vector<Complex<T>> strengths[3];
  for (const SurfaceElement& e : elements) {
    const Eigen::Vector3d r = e.centre - centre;
    double u[3];
    for (int d = 0; d < 3; ++d) {
      const double turns = r(d) * step(d) / (2 * constants::kPi);
      const int n = mesh[static_cast<std::size_t>(d)];
      u[d] = (turns - std::floor(turns)) * n;
      if (!(u[d] < n)) u[d] = 0;
    }
    places.push_back({u[0], u[1], u[2]});
    const std::complex<double> phase = std::polar(1.0, middle.dot(r));
    for (int d = 0; d < 3; ++d) {
      const std::complex<double> c = e.area * e.normal(d) * phase;
      strengths[d].push_back({static_cast<T>(c.real()), static_cast<T>(c.imag())});
    }
  }
  const DeviceBuffer<double3> devicePlaces(places);
  const DeviceBuffer<Complex<T>> deviceStrengths[3] = {DeviceBuffer<Complex<T>>(strengths[0]),
                                                       DeviceBuffer<Complex<T>>(strengths[1]),
                                                       DeviceBuffer<Complex<T>>(strengths[2])};
  const DeviceBuffer<double> corrections[3] = {
      DeviceBuffer<double>(kernelCorrection(kernel, mesh[0], modes[0] / 2)),
      DeviceBuffer<double>(kernelCorrection(kernel, mesh[1], modes[1] / 2)),
      DeviceBuffer<double>(kernelCorrection(kernel, mesh[2], modes[2] / 2))};
  DeviceBuffer<Complex<T>> field(meshPoints(mesh)), out(grid.size());
  const int n[3] = {mesh[0], mesh[1], mesh[2]};
  const int3 n3{mesh[0], mesh[1], mesh[2]};
  const FftPlan plan(n, Pair<T>::kFft, stream.get());
  const Event begin, end;
  std::vector<Event> marks(6);
  const Grid deviceGrid = gridOf(grid);
  begin.record(stream.get());
  out.fill(0, stream.get());
  for (int d = 0; d < 3; ++d) {
    marks[static_cast<std::size_t>(2 * d)].record(stream.get());
    field.fill(0, stream.get());
    spreadKernel<T>
        <<<gridFor(1LL * count * kernel.width * kernel.width, kThreads), kThreads, 0, stream.get()>>>(
            devicePlaces.data(), deviceStrengths[d].data(), count, kernel, n3, field.data());
    PROPHET_CUDA_CHECK_LAUNCH();
    marks[static_cast<std::size_t>(2 * d + 1)].record(stream.get());
    if constexpr (sizeof(T) == 4) {
      checkFft(cufftExecC2C(plan.get(), field.data(), field.data(), CUFFT_INVERSE), "cufftExecC2C");
    } else {
      checkFft(cufftExecZ2Z(plan.get(), field.data(), field.data(), CUFFT_INVERSE), "cufftExecZ2Z");
    }
    collectKernel<T><<<gridFor(static_cast<long long>(grid.size()), kThreads), kThreads, 0, stream.get()>>>(
        field.data(), n3, corrections[0].data(), corrections[1].data(), corrections[2].data(), deviceGrid, d,
        out.data());
    PROPHET_CUDA_CHECK_LAUNCH();
  }
  end.record(stream.get());
  const double all = end.secondsSince(begin);
  double spread = 0;
  for (int d = 0; d < 3; ++d)
    spread += marks[static_cast<std::size_t>(2 * d + 1)].secondsSince(marks[static_cast<std::size_t>(2 * d)]);
  if (seconds) *seconds = {spread, all - spread, all};
  return keep ? finished<T>(out, elements, grid, centre, stream.get()) : FormFactor{};
}

}  // namespace

FormFactor sumOnDevice(const std::vector<SurfaceElement>& elements, const QGrid& grid, Precision precision,
                       DeviceSeconds* seconds, bool keep) {
  return precision == Precision::Single ? sumWith<float>(elements, grid, seconds, keep)
                                        : sumWith<double>(elements, grid, seconds, keep);
}

FormFactor transformOnDevice(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision precision, DeviceSeconds* seconds, bool keep) {
  return precision == Precision::Single ? transformWith<float>(elements, grid, tolerance, seconds, keep)
                                        : transformWith<double>(elements, grid, tolerance, seconds, keep);
}

}  // namespace prophet::cuda

#include <cub/cub.cuh>

#include <algorithm>
#include <bit>

#include "core/common/constants.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/shape_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kMostBinThreads = 1024;
static_assert((kMostKernelWidth + 1) * (kMostKernelWidth + 1) * (kMostKernelWidth + 1) / kBinRun <=
              kMostBinThreads);

__device__ double placeOf(double r, double step, int n) {
  const double turns = r * step / (2 * constants::kPi), u = (turns - floor(turns)) * n;
  return u < n ? u : 0.0;
}

__device__ double3 placeOf(const Element<double>& e, const TransformPlan& plan) {
  return {placeOf(e.x, plan.step.x, plan.mesh.x), placeOf(e.y, plan.step.y, plan.mesh.y),
          placeOf(e.z, plan.step.z, plan.mesh.z)};
}

template <class T>
__global__ void placesKernel(const Element<double>* elements, const int* order, int count, TransformPlan plan,
                             double3* places, Complex<T>* strengths) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const Element<double> e = elements[order ? order[i] : i];
    places[i] = placeOf(e, plan);
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

/// The kernel's value at a distance from its centre, in the precision of the mesh.
template <class T>
struct KernelValue {
  T shape, scale;

  __device__ explicit KernelValue(const ExpSqrtKernel& kernel)
      : shape(static_cast<T>(kernel.shape)), scale(static_cast<T>(2.0 / kernel.width)) {}
  __device__ T operator()(double distance) const {
    const T z = scale * static_cast<T>(distance), rest = T(1) - z * z;
    return rest > T(0) ? exp(shape * (sqrt(rest) - T(1))) : T(0);
  }
};

template <class T>
__global__ void spreadKernel(const double3* places, const Complex<T>* strengths, int count,
                             ExpSqrtKernel kernel, int3 n, Complex<T>* mesh) {
  const int lines = kernel.width * kernel.width;
  const long long all = 1LL * count * lines;
  const double half = 0.5 * kernel.width;
  const KernelValue<T> value(kernel);
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

/// The first mesh point that the kernel of a point touches, wrapped.
__device__ int firstOf(double u, int width, int n) {
  return wrapped(static_cast<int>(ceil(u - 0.5 * width)), n);
}

__global__ void binsKernel(const Element<double>* elements, int count, TransformPlan plan, SpreadBins bins,
                           BinKey* keys, int* numbers) {
  const int width = plan.kernel.width;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const double3 u = placeOf(elements[i], plan);
    const int x = firstOf(u.x, width, plan.mesh.x) / bins.edge.x,
              y = firstOf(u.y, width, plan.mesh.y) / bins.edge.y,
              z = firstOf(u.z, width, plan.mesh.z) / bins.edge.z;
    keys[i] = (static_cast<BinKey>(x) * bins.count.y + y) * bins.count.z + z;
    numbers[i] = i;
  }
}

/// Values of the kernel at so many mesh points along an axis, from the edge of the bin on.
template <class T>
__device__ T valueAlong(const KernelValue<T>& value, double u, int width, int n, int edge, int k) {
  const double start = ceil(u - 0.5 * width);
  return value(start - u + k - wrapped(static_cast<int>(start), n) % edge);
}

/// Numbers that are read together.
template <class T>
struct alignas(16) Run {
  T values[kBinRun];
};

/// A thread owns kBinRun mesh points of what the kernels of a bin's points touch, in registers. Blocks go
/// through `perBlock` points, a batch at a time, whose values along the axes lie in shared memory; where the
/// next point is of another bin, sums are added to the mesh.
template <class T>
__global__ void __launch_bounds__(kMostBinThreads)
    spreadBinsKernel(const double3* places, const Complex<T>* strengths, const BinKey* keys, int count,
                     int perBlock, ExpSqrtKernel kernel, int3 n, SpreadBins bins, Complex<T>* mesh) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int3 reach = bins.reach;
  T* const alongZ = reinterpret_cast<T*>(memory);  // first: its runs are read as a whole
  T* const alongX = alongZ + kBinBatch * reach.z;
  T* const alongY = alongX + kBinBatch * reach.x;
  __shared__ Complex<T> strength[kBinBatch];
  __shared__ BinKey key[kBinBatch];
  const int runs = reach.z / kBinRun, run = threadIdx.x % runs, y = threadIdx.x / runs % reach.y,
            x = threadIdx.x / runs / reach.y;
  const bool isThere = x < reach.x;
  const KernelValue<T> value(kernel);
  Complex<T> sums[kBinRun] = {};
  const int begin = blockIdx.x * perBlock, end = min(count, begin + perBlock);
  const auto addToMesh = [&](BinKey bin) {
    if (!isThere) return;
    const int z0 = static_cast<int>(bin % bins.count.z) * bins.edge.z + run * kBinRun,
              y0 = static_cast<int>(bin / bins.count.z % bins.count.y) * bins.edge.y + y,
              x0 = static_cast<int>(bin / bins.count.z / bins.count.y) * bins.edge.x + x;
    Complex<T>* const row = mesh + (1LL * wrapped(x0, n.x) * n.y + wrapped(y0, n.y)) * n.z;
#pragma unroll
    for (int k = 0; k < kBinRun; ++k) {
      if (sums[k].x != 0 || sums[k].y != 0) addPair(row + wrapped(z0 + k, n.z), sums[k]);
      sums[k] = {0, 0};
    }
  };
  BinKey current = keys[begin];
  for (int first = begin; first < end; first += kBinBatch) {
    const int there = min(kBinBatch, end - first), values = reach.x + reach.y + reach.z;
    __syncthreads();
    for (int i = threadIdx.x; i < there * values; i += blockDim.x) {
      const int point = i / values, k = i % values;
      const double3 u = places[first + point];
      if (k < reach.x) {
        alongX[point * reach.x + k] = valueAlong(value, u.x, kernel.width, n.x, bins.edge.x, k);
      } else if (k < reach.x + reach.y) {
        alongY[point * reach.y + k - reach.x] =
            valueAlong(value, u.y, kernel.width, n.y, bins.edge.y, k - reach.x);
      } else {
        alongZ[point * reach.z + k - reach.x - reach.y] =
            valueAlong(value, u.z, kernel.width, n.z, bins.edge.z, k - reach.x - reach.y);
      }
    }
    for (int i = threadIdx.x; i < there; i += blockDim.x) {
      strength[i] = strengths[first + i];
      key[i] = keys[first + i];
    }
    __syncthreads();
    for (int point = 0; point < there; ++point) {
      if (key[point] != current) {
        addToMesh(current);
        current = key[point];
      }
      if (!isThere) continue;
      const T weight = alongX[point * reach.x + x] * alongY[point * reach.y + y];
      const Complex<T> c{weight * strength[point].x, weight * strength[point].y};
      const Run<T> along = *reinterpret_cast<const Run<T>*>(alongZ + point * reach.z + run * kBinRun);
#pragma unroll
      for (int k = 0; k < kBinRun; ++k) {
        sums[k].x += c.x * along.values[k];
        sums[k].y += c.y * along.values[k];
      }
    }
  }
  addToMesh(current);
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
void launchPlaces(const Element<double>* elements, const int* order, int count, const TransformPlan& plan,
                  double3* places, Complex<T>* strengths, cudaStream_t stream) {
  placesKernel<T>
      <<<gridFor(count, kThreads), kThreads, 0, stream>>>(elements, order, count, plan, places, strengths);
  PROPHET_CUDA_CHECK_LAUNCH();
}
template void launchPlaces<float>(const Element<double>*, const int*, int, const TransformPlan&, double3*,
                                  float2*, cudaStream_t);
template void launchPlaces<double>(const Element<double>*, const int*, int, const TransformPlan&, double3*,
                                   double2*, cudaStream_t);

SpreadBins binsOf(const TransformPlan& plan) {
  const int width = plan.kernel.width;
  SpreadBins bins;
  bins.reach.x = bins.reach.y = width + 1;
  bins.reach.z = (width + kBinRun) / kBinRun * kBinRun;
  bins.edge = {bins.reach.x - width + 1, bins.reach.y - width + 1, bins.reach.z - width + 1};
  const auto countOf = [](int n, int edge) { return (n + edge - 1) / edge; };
  bins.count = {countOf(plan.mesh.x, bins.edge.x), countOf(plan.mesh.y, bins.edge.y),
                countOf(plan.mesh.z, bins.edge.z)};
  return bins;
}

void launchBins(const Element<double>* elements, int count, const TransformPlan& plan, const SpreadBins& bins,
                BinKey* keys, int* numbers, cudaStream_t stream) {
  binsKernel<<<gridFor(count, kThreads), kThreads, 0, stream>>>(elements, count, plan, bins, keys, numbers);
  PROPHET_CUDA_CHECK_LAUNCH();
}

std::size_t sortByBin(void* room, std::size_t bytes, const BinKey* keys, BinKey* sortedKeys,
                      const int* numbers, int* order, int count, const SpreadBins& bins,
                      cudaStream_t stream) {
  const BinKey all = static_cast<BinKey>(bins.count.x) * bins.count.y * bins.count.z;
  PROPHET_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(room, bytes, keys, sortedKeys, numbers, order, count, 0,
                                                     static_cast<int>(std::bit_width(all)), stream));
  return bytes;
}

template <class T>
void launchSpreadBins(const double3* places, const Complex<T>* strengths, const BinKey* keys, int count,
                      const TransformPlan& plan, const SpreadBins& bins, Complex<T>* mesh,
                      cudaStream_t stream) {
  const int3 reach = bins.reach;
  const int threads = (reach.x * reach.y * (reach.z / kBinRun) + 31) / 32 * 32;
  const std::size_t shared = sizeof(T) * kBinBatch * static_cast<std::size_t>(reach.x + reach.y + reach.z);
  // Several rounds, as bins that end take time; but points of one bin should be of one block.
  constexpr int kRounds = 4, kMostBatches = 32;
  const int share = count / (kRounds * residentBlocks(spreadBinsKernel<T>, threads, shared));
  const int perBlock = kBinBatch * std::clamp(share / kBinBatch, 1, kMostBatches);
  spreadBinsKernel<T><<<(count + perBlock - 1) / perBlock, threads, shared, stream>>>(
      places, strengths, keys, count, perBlock, plan.kernel, plan.mesh, bins, mesh);
  PROPHET_CUDA_CHECK_LAUNCH();
}
template void launchSpreadBins<float>(const double3*, const float2*, const BinKey*, int, const TransformPlan&,
                                      const SpreadBins&, float2*, cudaStream_t);
template void launchSpreadBins<double>(const double3*, const double2*, const BinKey*, int,
                                       const TransformPlan&, const SpreadBins&, double2*, cudaStream_t);

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

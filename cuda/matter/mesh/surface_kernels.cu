#include <algorithm>

#include "core/common/constants.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/block_sums.cuh"
#include "cuda/matter/mesh/shape_kernels.hpp"
#include "matter/shape/quarter_turns.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 256;  // triangles in shared memory
constexpr int kPointsPerThread = 4;

/// sine and cosine of so many turns.
__device__ void turned(float turns, float& s, float& c) {
  turns -= rintf(turns);
  __sincosf(6.28318530717958648f * turns, &s, &c);
}
__device__ void turned(double turns, double& s, double& c) { turn(4 * turns, c, s); }

/// Blocks along y share the tiles of triangles.
template <class T>
__global__ void sumKernel(const Element<T>* elements, int count, Momenta momenta, double2* sums) {
  __shared__ Element<T> tile[kTile];
  const long long first = (1LL * blockIdx.x * blockDim.x) * kPointsPerThread + threadIdx.x;
  T q[kPointsPerThread][3];
  double2 all[kPointsPerThread] = {};
  for (int k = 0; k < kPointsPerThread; ++k) {
    const long long i = first + 1LL * k * blockDim.x;
    const double3 point = momenta[i < momenta.count ? i : 0];
    q[k][0] = static_cast<T>(point.x);
    q[k][1] = static_cast<T>(point.y);
    q[k][2] = static_cast<T>(point.z);
  }
  for (int begin = blockIdx.y * kTile; begin < count; begin += gridDim.y * kTile) {
    const int there = min(kTile, count - begin);
    __syncthreads();
    for (int t = threadIdx.x; t < there; t += blockDim.x) tile[t] = elements[begin + t];
    __syncthreads();
    T re[kPointsPerThread] = {}, im[kPointsPerThread] = {};
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
#pragma unroll
    for (int k = 0; k < kPointsPerThread; ++k) {
      all[k].x += re[k];
      all[k].y += im[k];
    }
  }
  for (int k = 0; k < kPointsPerThread; ++k) {
    const long long i = first + 1LL * k * blockDim.x;
    if (i >= momenta.count) continue;
    if (gridDim.y == 1) {
      sums[i].x += all[k].x;
      sums[i].y += all[k].y;
    } else {
      atomicAdd(&sums[i].x, all[k].x);
      atomicAdd(&sums[i].y, all[k].y);
    }
  }
}

__device__ double2 times(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

/// exp(i q.centre)/(i q^2) times a sum.
__device__ double2 finished(double2 sum, double3 q, double3 centre, double square) {
  double2 phase;
  sincos(q.x * centre.x + q.y * centre.y + q.z * centre.z, &phase.y, &phase.x);
  const double2 product = times(sum, phase);
  return {product.y / square, -product.x / square};
}

__global__ void finishKernel(Momenta momenta, double3 centre, double radius, double2* sums, int* longWaves,
                             int* found) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < momenta.count; i += gridDim.x * blockDim.x) {
    const double3 q = momenta[i];
    const double square = q.x * q.x + q.y * q.y + q.z * q.z;
    if (square * radius * radius < 4) {
      longWaves[atomicAdd(found, 1)] = i;
    } else {
      sums[i] = finished(sums[i], q, centre, square);
    }
  }
}

/// By all threads of a block.
__device__ void sumLongWave(const Element<double>* elements, int count, const Momenta& momenta,
                            double3 centre, int i, double2* sums) {
  const double3 q = momenta[i];
  const double square = q.x * q.x + q.y * q.y + q.z * q.z;
  double mine[2] = {};
  for (int t = threadIdx.x; t < count; t += blockDim.x) {
    const Element<double> e = elements[t];
    if (square == 0) {
      mine[0] += (e.nx * e.x + e.ny * e.y + e.nz * e.z) / 3;
      continue;
    }
    double s, c;  // of half the phase: exp(2 i x) - 1 = 2 i sin x exp(i x)
    sincos(0.5 * (q.x * e.x + q.y * e.y + q.z * e.z), &s, &c);
    const double weight = 2 * s * (q.x * e.nx + q.y * e.ny + q.z * e.nz);
    mine[0] -= weight * s;
    mine[1] += weight * c;
  }
  __shared__ double total[2];
  blockSums<kThreads>(mine, total);
  if (threadIdx.x > 0) return;
  const double2 sum{total[0], total[1]};
  sums[i] = square == 0 ? double2{sum.x, 0} : finished(sum, q, centre, square);
}

/// A block for each momentum, or for several.
__global__ void longWaveKernel(const Element<double>* elements, int count, Momenta momenta, double3 centre,
                               const int* longWaves, const int* found, double2* sums) {
  for (int k = blockIdx.x; k < *found; k += gridDim.x)
    sumLongWave(elements, count, momenta, centre, longWaves[k], sums);
}

/// Triangles as the host has them: area, normal, centre.
__global__ void centringKernel(const double* given, int count, double3 centre, Element<double>* elements) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const double* g = given + 1LL * kSurfaceNumbers * i;
    elements[i] = {g[4] - centre.x, g[5] - centre.y, g[6] - centre.z, g[0] * g[1], g[0] * g[2], g[0] * g[3]};
  }
}

/// Centres over 2 pi, in the precision of the terms.
template <class T>
__global__ void turnsKernel(const Element<double>* elements, int count, Element<T>* turns) {
  constexpr double kTurn = 2 * constants::kPi;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const Element<double> e = elements[i];
    turns[i] = {static_cast<T>(e.x / kTurn), static_cast<T>(e.y / kTurn), static_cast<T>(e.z / kTurn),
                static_cast<T>(e.nx),        static_cast<T>(e.ny),        static_cast<T>(e.nz)};
  }
}

}  // namespace

template <class T>
void launchSum(const Element<T>* elements, int count, const Momenta& q, double2* sums, cudaStream_t stream) {
  constexpr int kPerBlock = kThreads * kPointsPerThread;
  // Few points fill the device only with their triangles shared out.
  const int blocks = (q.count + kPerBlock - 1) / kPerBlock,
            shares = std::clamp(residentBlocks(sumKernel<T>, kThreads) / blocks, 1,
                                std::max(1, (count + kTile - 1) / kTile));
  sumKernel<T><<<dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(shares)), kThreads, 0, stream>>>(
      elements, count, q, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}
template void launchSum(const Element<float>*, int, const Momenta&, double2*, cudaStream_t);
template void launchSum(const Element<double>*, int, const Momenta&, double2*, cudaStream_t);

void launchFinish(const Momenta& q, double3 centre, double radius, double2* sums, int* longWaves, int* found,
                  cudaStream_t stream) {
  finishKernel<<<gridFor(q.count, kThreads), kThreads, 0, stream>>>(q, centre, radius, sums, longWaves,
                                                                    found);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchLongWaves(const Element<double>* elements, int count, const Momenta& q, double3 centre,
                     const int* longWaves, const int* found, double2* sums, cudaStream_t stream) {
  longWaveKernel<<<std::min(q.count, residentBlocks(longWaveKernel, kThreads)), kThreads, 0, stream>>>(
      elements, count, q, centre, longWaves, found, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchCentring(const double* given, int count, double3 centre, Element<double>* elements,
                    cudaStream_t stream) {
  centringKernel<<<gridFor(count, kThreads), kThreads, 0, stream>>>(given, count, centre, elements);
  PROPHET_CUDA_CHECK_LAUNCH();
}

template <class T>
void launchTurns(const Element<double>* elements, int count, Element<T>* turns, cudaStream_t stream) {
  turnsKernel<T><<<gridFor(count, kThreads), kThreads, 0, stream>>>(elements, count, turns);
  PROPHET_CUDA_CHECK_LAUNCH();
}
template void launchTurns(const Element<double>*, int, Element<float>*, cudaStream_t);
template void launchTurns(const Element<double>*, int, Element<double>*, cudaStream_t);

}  // namespace prophet::cuda

#include "cuda/atoms/scf/scf_kernels.hpp"
#include "cuda/core/common/block_reduce.cuh"
#include "cuda/core/common/launch.hpp"

/// Energies, convergence measures, scalar products and combinations of matrices.
namespace prophet::cuda {
namespace {

constexpr int kThreads = 512;

/// n/2 o^T Q o, by which the two-electron energy of an open spinor is too high.
__device__ double openCorrection(const ScfShape& shape, const SymmetryData& s, const double* c,
                                 const double* q, double* shared) {
  if (!s.open) return 0.0;
  const int dim = shape.dim();
  const double* o = c + s.closed * dim;
  double part = 0.0;
  for (int e = threadIdx.x; e < dim * dim; e += kThreads) part += o[e % dim] * q[e] * o[e / dim];
  return 0.5 * s.openElectrons * blockSum(part, shared);
}

__global__ void __launch_bounds__(kThreads)
    measureKernel(ScfShape shape, const SymmetryData* data, const double* coefficients, const double* cores,
                  const double* nuclears, const double* focks, const double* opens, const double* densities,
                  double* oldDensities, const double* gradients, SymmetryMeasures* measures) {
  __shared__ double shared[32];
  const int a = blockIdx.x, dim = shape.dim(), half = shape.half;
  const std::int64_t start = a * shape.matrix();
  double core = 0.0, nuclear = 0.0, momentum = 0.0, two = 0.0, ll = 0.0, sl = 0.0, ss = 0.0, gradient = 0.0;
  for (int e = threadIdx.x; e < dim * dim; e += kThreads) {
    const std::int64_t i = start + e;
    const double d = densities[i], change = fabs(d - oldDensities[i]);
    core += d * cores[i];
    nuclear += d * nuclears[i];
    two += 0.5 * d * (focks[i] - cores[i]);
    const bool smallRow = e % dim >= half, smallColumn = e / dim >= half;
    if (smallRow != smallColumn) momentum += d * cores[i];
    if (!smallRow && !smallColumn) ll = largerOf(change, ll);
    if (smallRow && !smallColumn) sl = largerOf(change, sl);
    if (smallRow && smallColumn) ss = largerOf(change, ss);
    gradient = largerOf(fabs(gradients[i]), gradient);
    oldDensities[i] = d;
  }
  SymmetryMeasures m;
  m.core = blockSum(core, shared);
  m.nuclear = blockSum(nuclear, shared);
  m.momentum = blockSum(momentum, shared);
  m.twoElectron = blockSum(two, shared) -
                  openCorrection(shape, data[a], coefficients + a * shape.block(), opens + start, shared);
  m.changeLL = blockMax(ll, shared);
  m.changeSL = blockMax(sl, shared);
  m.changeSS = blockMax(ss, shared);
  m.gradient = blockMax(gradient, shared);
  if (threadIdx.x == 0) measures[a] = m;
}

__global__ void __launch_bounds__(kThreads)
    dotKernel(History a, const double* b, std::int64_t size, double* out) {
  __shared__ double shared[32];
  const double* entry = a.entry[blockIdx.x];
  double part = 0.0;
  for (std::int64_t i = threadIdx.x; i < size; i += kThreads) part += entry[i] * b[i];
  const double sum = blockSum(part, shared);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void combineKernel(History a, Coefficients coefficients, std::int64_t size, int count,
                              double* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (i >= size) return;
  double sum = 0.0;
  for (int n = 0; n < count; ++n) sum += coefficients.value[n] * a.entry[n][i];
  out[i] = sum;
}

__global__ void padKernel(ScfShape shape, const SymmetryData* data, double value, double* matrices) {
  const SymmetryData s = data[blockIdx.x];
  for (int i = threadIdx.x; i < shape.dim(); i += kThreads) {
    const bool empty = i < shape.half ? i >= s.large : i - shape.half >= s.small;
    if (empty) matrices[blockIdx.x * shape.matrix() + i * (shape.dim() + 1)] = value;
  }
}

}  // namespace

void measure(const ScfShape& shape, const SymmetryData* data, const double* coefficients, const double* core,
             const double* nuclear, const double* fock, const double* open, const double* density,
             double* oldDensity, const double* gradient, SymmetryMeasures* measures, cudaStream_t stream) {
  measureKernel<<<shape.symmetries, kThreads, 0, stream>>>(shape, data, coefficients, core, nuclear, fock,
                                                           open, density, oldDensity, gradient, measures);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void dotProducts(const History& a, const double* b, std::int64_t size, int count, double* out,
                 cudaStream_t stream) {
  dotKernel<<<count, kThreads, 0, stream>>>(a, b, size, out);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void combine(const History& a, const Coefficients& coefficients, std::int64_t size, int count, double* out,
             cudaStream_t stream) {
  const int blocks = static_cast<int>((size + kThreads - 1) / kThreads);
  combineKernel<<<blocks, kThreads, 0, stream>>>(a, coefficients, size, count, out);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void padDiagonal(const ScfShape& shape, const SymmetryData* data, double value, double* matrices,
                 cudaStream_t stream) {
  padKernel<<<shape.symmetries, kThreads, 0, stream>>>(shape, data, value, matrices);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda

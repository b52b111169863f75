#include "cuda/integrals/one_electron_kernel.hpp"
#include "integrals/sphere_cloud.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 128;

/// integral r^n exp(-p r^2) (-V(r)/Z) dr for even n >= 2.
__device__ double attraction(const NucleusView& nucleus, int n, double p) {
  if (nucleus.model == NuclearModel::Point) return radial::moment(n - 1, p);
  return nucleus.model == NuclearModel::Gaussian ? radial::gaussianCloud(n / 2 - 1, p, nucleus.exponent)
                                                 : radial::sphereCloud(n / 2 - 1, p, nucleus.radius);
}

__device__ double attraction(const NucleusView& nucleus, const PairDistribution& d) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i) sum += d.coefficient[i] * attraction(nucleus, d.power + 2 * i, d.zeta);
  return -nucleus.charge * sum;
}

__global__ void oneElectronKernel(const Primitive* primitives, const OneElectronBlock* blocks,
                                  NucleusView nucleus, double* out) {
  const OneElectronBlock block = blocks[blockIdx.y];
  const int n = block.functions, i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n * n) return;
  const Primitive a = primitives[block.first + i % n], b = primitives[block.first + i / n];
  const double t = 2.0 * sqrt(a.zeta * b.zeta) / (a.zeta + b.zeta);
  double* target = out + block.out + i;
  target[0] = radial::halfPower(t, 2 * block.l + 3);
  target[n * n] = radial::halfPower(t, 2 * block.l + 5);
  target[2 * n * n] = attraction(nucleus, largePair(a, block.l, b, block.l));
  target[3 * n * n] = attraction(nucleus, smallPair(a, block.l, b, block.l));
}

}  // namespace

void computeOneElectron(const Primitive* primitives, const OneElectronBlock* blocks, int symmetries,
                        int largest, const NucleusView& nucleus, double* out, cudaStream_t stream) {
  if (largest == 0 || symmetries == 0) return;
  const dim3 grid((largest * largest + kThreads - 1) / kThreads, symmetries);
  oneElectronKernel<<<grid, kThreads, 0, stream>>>(primitives, blocks, nucleus, out);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda

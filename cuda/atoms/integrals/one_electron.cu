#include "cuda/atoms/integrals/attraction.cuh"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 128;

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

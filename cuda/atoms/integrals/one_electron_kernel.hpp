#pragma once
#include "atoms/atom/nucleus.hpp"
#include "atoms/integrals/primitives.hpp"
#include "cuda/core/common/check.hpp"

namespace prophet::cuda {

/// A nucleus whose attraction has a closed form.
struct NucleusView {
  double charge;
  NuclearAttraction attraction;
};

/// One symmetry: `functions` primitives from `first` on, whose four n x n matrices (overlap LL, SS,
/// attraction LL, SS) start at `out` of the output.
struct OneElectronBlock {
  int first, functions, l, out;
};

/// One thread for one (p, q) of one symmetry.
void computeOneElectron(const Primitive* primitives, const OneElectronBlock* blocks, int symmetries,
                        int largest, const NucleusView& nucleus, double* out, cudaStream_t stream);

}  // namespace prophet::cuda

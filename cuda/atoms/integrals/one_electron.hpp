#pragma once
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "cuda/atoms/integrals/one_electron_kernel.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

/// Where the matrices of every symmetry lie in one array of `size` numbers.
struct OneElectronLayout {
  std::vector<OneElectronBlock> blocks;
  int size = 0, largest = 0;  ///< `largest`: functions of the largest symmetry
};
OneElectronLayout oneElectronLayout(const PrimitiveTable& table);

/// The array of a layout from matrices, and back.
std::vector<double> joined(const OneElectronLayout& layout, const std::vector<OneElectronMatrices>& matrices);
std::vector<OneElectronMatrices> separated(const OneElectronLayout& layout, const PrimitiveTable& table,
                                           const std::vector<double>& values);

/// The same array on the device, queued on `stream`; `primitives` and `blocks` are there already. Not for
/// nuclei whose attraction has no closed form.
void computeOneElectron(const OneElectronLayout& layout, const Primitive* primitives,
                        const OneElectronBlock* blocks, const Nucleus& nucleus, double* out,
                        cudaStream_t stream);

/// Overlap and nuclear-attraction matrices of every symmetry, computed on the device; the counterpart of
/// prophet::oneElectronMatrices. Point, Gaussian and uniformly charged nuclei have closed forms there; the
/// attraction of others comes from the host (quadrature).
std::vector<OneElectronMatrices> oneElectronMatrices(const BasisSet& basis, const Nucleus& nucleus,
                                                     const Stream& stream);

}  // namespace prophet::cuda

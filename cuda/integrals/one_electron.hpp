#pragma once
#include <vector>

#include "atom/nucleus.hpp"
#include "basis/basis_set.hpp"
#include "cuda/common/handles.hpp"
#include "integrals/one_electron.hpp"

namespace prophet::cuda {

/// Overlap and nuclear-attraction matrices of every symmetry, computed on the device; the counterpart of
/// prophet::oneElectronMatrices. Point and Gaussian nuclei have closed forms there; for the other models the
/// attraction comes from the host (incomplete gamma functions, quadrature).
std::vector<OneElectronMatrices> oneElectronMatrices(const BasisSet& basis, const Nucleus& nucleus,
                                                     const Stream& stream);

}  // namespace prophet::cuda

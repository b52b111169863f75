#pragma once
#include "atoms/atom/symmetry.hpp"
#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial.hpp"

namespace prophet::cuda::batch {

/// makePrimitive of the host.
__device__ inline Primitive primitiveOf(Symmetry symmetry, double zeta) {
  const int l = symmetry.l();
  const double norm = 1.0 / sqrt(radial::moment(2 * l + 2, 2.0 * zeta));
  const double smallNorm = norm / sqrt((2 * l + 3) * zeta);
  return {zeta, norm, (l + 1 + symmetry.kappa) * smallNorm, -2.0 * zeta * smallNorm};
}

}  // namespace prophet::cuda::batch

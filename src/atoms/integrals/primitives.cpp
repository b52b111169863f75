#include "atoms/integrals/primitives.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/radial.hpp"
#include "core/common/error.hpp"

namespace prophet {

Primitive makePrimitive(Symmetry symmetry, double zeta) {
  const int l = symmetry.l();
  const double norm = 1.0 / std::sqrt(radial::moment(2 * l + 2, 2.0 * zeta));
  const double smallNorm = norm / std::sqrt((2 * l + 3) * zeta);
  return {zeta, norm, (l + 1 + symmetry.kappa) * smallNorm, -2.0 * zeta * smallNorm};
}

// Ladders of reference reach a little beyond the exponents that may be read.
constexpr double kSmallest = 0.1 * kSmallestExponent, kLargest = 10.0 * kLargestExponent;

void requireSensibleExponents(const BasisSet& basis) {
  for (const SymmetryBasis& block : basis.symmetries) {
    for (const double zeta : block.exponents) {
      if (zeta >= kSmallest && zeta <= kLargest) continue;
      throw Error(fmt::format("the exponent {:g} of {} is out of range; expected {:g} to {:g}", zeta,
                              block.symmetry.label(), kSmallest, kLargest));
    }
  }
}

PrimitiveTable makePrimitiveTable(const BasisSet& basis) {
  requireSensibleExponents(basis);
  PrimitiveTable table;
  table.offset.push_back(0);
  for (const SymmetryBasis& block : basis.symmetries) {
    table.symmetries.push_back(block.symmetry);
    for (const double zeta : block.exponents) table.primitives.push_back(makePrimitive(block.symmetry, zeta));
    table.offset.push_back(static_cast<int>(table.primitives.size()));
  }
  return table;
}

}  // namespace prophet

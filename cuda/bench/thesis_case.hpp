#pragma once
#include "atoms/basis/well_tempered.hpp"
#include "cuda/atoms/integrals/stored_basis.hpp"

namespace prophet::cuda {

/// Benchmark series of Hennessey (2018): Rn in seven symmetries with the same number of functions each.
inline BasisSet thesisBasis(int functions) {
  WellTemperedSpec spec;
  spec.groups = {{6.87e-2, 1.83, 3.97, 0.78}};
  spec.functions.assign(7, functions);
  spec.start.assign(7, 1);
  spec.group.assign(7, 1);
  return makeWellTempered(spec);
}

/// FP64 operations (a fused multiply-add counts two, a division or square root one) of all elements, counted
/// from the formulas of slater_polynomials.hpp.
inline double integralOperations(const StoredBasis& basis) {
  const PairNumbering n = basis.index().view();
  const double polynomials = 2.0 * (2 * (basis.degree() - 1) + 1) + 1.0;
  double sum = 0.0;
  for (int a = 0; a < n.symmetries; ++a) {
    for (int b = 0; b <= a; ++b) {
      const double rows = static_cast<double>(n.pairOffset[a + 1] - n.pairOffset[a]);
      const double columns = static_cast<double>(n.pairOffset[b + 1] - n.pairOffset[b]);
      const double elements = a == b ? 0.5 * rows * (rows + 1) : rows * columns;
      const int fa = basis.symmetryList()[a].kappa > 0 ? 3 : 2,
                fb = basis.symmetryList()[b].kappa > 0 ? 3 : 2;
      const int both = std::min(fa, fb);
      // Each value: its polynomials, then products with the coefficients of its row and column.
      const double values = fa * fb + 2.0 * both * both;
      const double contraction = 3.0 * values + 2.0 * (fa + fb + 4 * both) * 1.5 + 6.0;
      sum += elements * (values * polynomials + contraction + 6 * 11.0 + 3 * 4.0 + 25.0);
    }
  }
  return sum;
}

}  // namespace prophet::cuda

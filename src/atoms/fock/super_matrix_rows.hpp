#pragma once
#include <cstdint>

#include "atoms/integrals/slater_polynomials.hpp"

/// Rows of the two-electron super-matrices, compiled for several instruction sets.
namespace prophet {

/// Elements of a row are computed so many at once: what a register of AVX-512 holds.
inline constexpr int kElementGroup = 8;

/// The numbers of a primitive for every pair of functions, one after the other.
struct PrimitiveColumns {
  const double *zeta, *norm, *small0, *small2;
};
struct PairColumns {
  PrimitiveColumns r, s;
};

/// Columns [first, end), all of one symmetry, of the row of the pair p, q into rows[0] ... rows[7] (X1 ...
/// X8, from column 0 on). Reads up to kElementGroup - 1 columns beyond `end`.
template <int kDegree>
using SuperMatrixRows = void (*)(const PairPolynomials<kDegree>& polynomials, const Primitive& p,
                                 const Primitive& q, const PairColumns& columns, std::int64_t first,
                                 std::int64_t end, double* const (&rows)[8]);

/// The one for this processor; degrees 5 and 9.
template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRows();

// Those for any processor, for x86-64-v3 and for v4.
template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRowsBaseline();
template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRowsV3();
template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRowsV4();

}  // namespace prophet

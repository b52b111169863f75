#pragma once
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"
#include "core/common/host_device.hpp"

namespace prophet {

/// A normalised primitive in the form that integral formulas need: large component `norm r^(l+1) exp(-zeta
/// r^2)`, small component `(small0 r^l + small2 r^(l+2)) exp(-zeta r^2)` (restricted kinetic balance, itself
/// normalised; small0 vanishes for kappa < 0). See docs/theory/dirac-hartree-fock.md, "Symmetries and basis".
struct Primitive {
  double zeta, norm, small0, small2;
};

/// sum_(i < count) coefficient_i r^(power + 2 i) exp(-zeta r^2): a product of two primitives' components.
struct PairDistribution {
  double zeta;
  int power, count;
  double coefficient[3];
};

/// norm of one primitive; small-component factors follow from (d/dr + kappa/r) P = sqrt((2l+3) zeta) Q.
Primitive makePrimitive(Symmetry symmetry, double zeta);

/// All primitives of a basis set, symmetry after symmetry, and where each symmetry starts.
struct PrimitiveTable {
  std::vector<Primitive> primitives;
  std::vector<Symmetry> symmetries;
  std::vector<int> offset;  ///< symmetries.size() + 1 entries
};
PrimitiveTable makePrimitiveTable(const BasisSet& basis);

/// Throws Error, which names it, for an exponent beyond those that may be read
/// (basis/exponent_range.hpp) by more than a factor of 10. makeGrid and makePrimitiveTable call it.
void requireSensibleExponents(const BasisSet& basis);

/// P_a(r) P_b(r); la, lb are the angular momenta of the large components.
PROPHET_HD inline PairDistribution largePair(const Primitive& a, int la, const Primitive& b, int lb) {
  return {a.zeta + b.zeta, la + lb + 2, 1, {a.norm * b.norm, 0.0, 0.0}};
}

/// Q_a(r) Q_b(r): one term (kappa < 0 both), two, or three; leading zeros are dropped.
PROPHET_HD inline PairDistribution smallPair(const Primitive& a, int la, const Primitive& b, int lb) {
  const double c0 = a.small0 * b.small0;
  const double c1 = a.small0 * b.small2 + a.small2 * b.small0;
  const double c2 = a.small2 * b.small2;
  const double zeta = a.zeta + b.zeta;
  if (c0 != 0.0) return {zeta, la + lb, 3, {c0, c1, c2}};
  if (c1 != 0.0) return {zeta, la + lb + 2, 2, {c1, c2, 0.0}};
  return {zeta, la + lb + 4, 1, {c2, 0.0, 0.0}};
}

}  // namespace prophet

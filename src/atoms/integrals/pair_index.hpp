#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial.hpp"
#include "core/common/host_device.hpp"

/// One-dimensional numbering of two-electron super-matrix elements (Hennessey (2018), algorithms 3-5).
///
/// A pair index I numbers the function pairs (L; P >= Q) of all symmetries L, symmetry after symmetry, row
/// after row of each symmetry's triangle. An element index t numbers the pairs of pairs (I >= J) of the
/// triangle over pairs.
namespace prophet {

/// n'(j) = j (j + 1) / 2 (Hennessey (2018), eq. 3.1).
PROPHET_HD inline constexpr std::int64_t triangle(std::int64_t j) { return j * (j + 1) / 2; }

/// The largest i in [0, size) with start(i) <= target, by binary search; `start` ascends and start(0) <=
/// target.
template <class Integer, class Start>
PROPHET_HD inline Integer lastNotAbove(Integer target, Integer size, const Start& start) {
  Integer low = 0, high = size;
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    if (start(middle) <= target) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class Integer>
struct TriangularFrom {
  Integer first;
  PROPHET_HD Integer operator()(Integer i) const { return (first + i) * (first + i + 1) / 2; }
};

/// The largest i in [0, size) with triangle(i) <= target: binary search in the few numbers around the
/// solution of i (i + 1) / 2 = target in single precision (off by less than one below 10^6 rows).
template <class Integer>
PROPHET_HD inline Integer lastTriangleNotAbove(Integer target, Integer size) {
  const float root = sqrtf(2.0f * static_cast<float>(target) + 0.25f) - 0.5f;
  const Integer guess = static_cast<Integer>(root);
  const Integer low = guess > 1 ? guess - 1 : 0, high = guess + 2 < size ? guess + 2 : size;
  return low + lastNotAbove(target, high - low, TriangularFrom<Integer>{low});
}

/// A function pair: symmetry and the two functions inside it, p >= q, all counted from 0.
struct FunctionPair {
  int symmetry, p, q;
  PROPHET_HD bool operator==(const FunctionPair& o) const {
    return symmetry == o.symmetry && p == o.p && q == o.q;
  }
};

/// Plain view of the numbering that a kernel can hold by value: `pairOffset` has `symmetries` + 1 entries,
/// the first pair of each symmetry; `size` its numbers of functions.
struct PairNumbering {
  const std::int64_t* pairOffset;
  const int* size;
  int symmetries;

  PROPHET_HD std::int64_t pairs() const { return pairOffset[symmetries]; }
  PROPHET_HD std::int64_t elements() const { return triangle(pairs()); }

  struct Offset {
    const std::int64_t* offset;
    PROPHET_HD std::int64_t operator()(std::int64_t i) const { return offset[i]; }
  };

  /// Pair index -> (L, P, Q).
  PROPHET_HD FunctionPair functions(std::int64_t pair) const {
    const int symmetry = static_cast<int>(lastNotAbove<std::int64_t>(pair, symmetries, Offset{pairOffset}));
    const std::int64_t local = pair - pairOffset[symmetry];
    const std::int64_t p = lastTriangleNotAbove<std::int64_t>(local, size[symmetry]);
    return {symmetry, static_cast<int>(p), static_cast<int>(local - triangle(p))};
  }
  /// (L, P, Q) -> pair index; needs p >= q.
  PROPHET_HD std::int64_t pair(const FunctionPair& f) const {
    return pairOffset[f.symmetry] + triangle(f.p) + f.q;
  }
  /// Element index -> pair I (row); the column is J = element - triangle(I) <= I.
  PROPHET_HD std::int64_t row(std::int64_t element) const { return lastTriangleNotAbove(element, pairs()); }
};

/// Owner of the arrays behind a PairNumbering.
class PairIndex {
 public:
  explicit PairIndex(const std::vector<int>& functionsPerSymmetry)
      : pairOffset_{0}, size_(functionsPerSymmetry) {
    for (const int n : size_) pairOffset_.push_back(pairOffset_.back() + triangle(n));
  }
  PairNumbering view() const { return {pairOffset_.data(), size_.data(), static_cast<int>(size_.size())}; }
  std::int64_t pairs() const { return pairOffset_.back(); }
  std::int64_t elements() const { return triangle(pairs()); }

 private:
  std::vector<std::int64_t> pairOffset_;
  std::vector<int> size_;
};

}  // namespace prophet

/// One element of the eight two-electron super-matrices, for host and device (Hennessey (2018), eqs.
/// 3.8-3.9; docs/theory/dirac-hartree-fock.md, "Two-electron integrals"). Rows are pairs (p >= q) of symmetry
/// kappa, columns pairs (r >= s) of symmetry kappa'.
namespace prophet {

/// More multipoles than any pair of symmetries up to l = 7 has.
inline constexpr int kMaxExchangeTerms = 8;

/// Exchange multipoles between two symmetries as a plain struct.
struct ExchangeList {
  int count;
  int k[kMaxExchangeTerms];
  double coefficient[kMaxExchangeTerms];
};

/// What multiplies what, with K(ab|cd) = sum_k Lambda_k R^k(ab|cd) and p, q in kappa, r, s in kappa':
///   x1: P^LL_pq from D^LL_rs, R^0(pL qL|rL sL) - [K(pL rL|qL sL) + K(pL sL|qL rL)]/2
///   x2: P^LL_pq from D^SS_rs, R^0(pL qL|rS sS);   x3: P^SS_pq from D^LL_rs, R^0(pS qS|rL sL)
///   x4: P^LS_pq from D^LS_sr, -K(pL sL|qS rS);    x5: P^LS_pq from D^LS_rs, -K(pL rL|qS sS)
///   x6: P^LS_qp from D^LS_rs, -K(qL rL|pS sS);    x7: P^LS_qp from D^LS_sr, -K(qL sL|pS rS)
///   x8: as x1 with small components.
/// Exchanging the two pairs swaps x2 with x3 and x4 with x6 and leaves the others.
template <class N>
struct SuperMatrixValues {
  N x1, x2, x3, x4, x5, x6, x7, x8;
};
using SuperMatrixElement = SuperMatrixValues<double>;

/// R^k between two distributions, sums over their terms.
PROPHET_HD inline double slater(int k, const PairDistribution& f, const PairDistribution& g) {
  double sum = 0.0;
  for (int i = 0; i < f.count; ++i) {
    for (int j = 0; j < g.count; ++j) {
      sum += f.coefficient[i] * g.coefficient[j] *
             radial::slater(k, f.power + 2 * i, f.zeta, g.power + 2 * j, g.zeta);
    }
  }
  return sum;
}

/// sum_k Lambda_k R^k.
PROPHET_HD inline double exchange(const ExchangeList& list, const PairDistribution& f,
                                  const PairDistribution& g) {
  double sum = 0.0;
  for (int i = 0; i < list.count; ++i) sum += list.coefficient[i] * slater(list.k[i], f, g);
  return sum;
}

/// All eight values. `l`, `m`: angular momenta of the large components of kappa and kappa'; `list`: their
/// multipoles.
PROPHET_HD inline SuperMatrixElement superMatrixElement(int l, const Primitive& p, const Primitive& q, int m,
                                                        const Primitive& r, const Primitive& s,
                                                        const ExchangeList& list) {
  const PairDistribution pqL = largePair(p, l, q, l), rsL = largePair(r, m, s, m);
  const PairDistribution pqS = smallPair(p, l, q, l), rsS = smallPair(r, m, s, m);
  const PairDistribution prL = largePair(p, l, r, m), qsL = largePair(q, l, s, m);
  const PairDistribution psL = largePair(p, l, s, m), qrL = largePair(q, l, r, m);
  const PairDistribution prS = smallPair(p, l, r, m), qsS = smallPair(q, l, s, m);
  const PairDistribution psS = smallPair(p, l, s, m), qrS = smallPair(q, l, r, m);
  SuperMatrixElement x;
  x.x1 = slater(0, pqL, rsL) - 0.5 * (exchange(list, prL, qsL) + exchange(list, psL, qrL));
  x.x2 = slater(0, pqL, rsS);
  x.x3 = slater(0, pqS, rsL);
  x.x4 = -exchange(list, psL, qrS);
  x.x5 = -exchange(list, prL, qsS);
  x.x6 = -exchange(list, qrL, psS);
  x.x7 = -exchange(list, qsL, prS);
  x.x8 = slater(0, pqS, rsS) - 0.5 * (exchange(list, prS, qsS) + exchange(list, psS, qrS));
  return x;
}

}  // namespace prophet

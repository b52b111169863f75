#pragma once
#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial.hpp"
#include "core/common/host_device.hpp"

/// One element of the eight two-electron super-matrices, for host and device (Hennessey (2018), eqs.
/// 3.8-3.9; docs/theory.md, "Two-electron integrals"). Rows are pairs (p >= q) of symmetry kappa, columns
/// pairs (r >= s) of symmetry kappa'.
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
struct SuperMatrixElement {
  double x1, x2, x3, x4, x5, x6, x7, x8;
};

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

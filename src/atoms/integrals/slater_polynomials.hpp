#pragma once
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/integrals/pair_index.hpp"
#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial.hpp"
#include "core/common/host_device.hpp"

#ifdef __CUDA_ARCH__
#define PROPHET_UNROLL _Pragma("unroll")
#else
#define PROPHET_UNROLL
#endif

/// The eight super-matrix elements of two function pairs with far fewer operations than the sums of
/// pair_index.hpp: every Slater integral, summed over multipoles with their Lambda_k, is
///   S^(-(n1+n2+1)/2) [A(S/a) + B(S/b)],  S = a + b,
/// with polynomials A, B whose (positive) coefficients depend on symmetries and powers only. They follow from
/// radial::slaterHalf by a^-(s-j+1) (a+b)^-(m+j) = S^-(s+1+m) (S/a)^(s-j+1). All three pairings of p, q, r, s
/// share S, and all powers differ by whole numbers: one square root and four divisions for the whole element.
namespace prophet {

/// Largest degree of the polynomials: l + l' + 4 over 2.
inline constexpr int slaterDegree(int largestL) { return largestL + 2; }

/// Polynomials without constant term: c[i][j][e] multiplies x^(e+1); i and j choose the powers of the two
/// distributions, l + l' + 2 i and l'' + l''' + 2 j (i = 0, 1, 2; the large components have 1).
/// `kDegree` + 1 entries are kept where that makes loads of two numbers possible.
template <int kDegree>
struct PolynomialBlock {
  static constexpr int kStride = kDegree + kDegree % 2;
  double row[3][3][kStride];     ///< in S/a
  double column[3][3][kStride];  ///< in S/b
};

/// Everything that depends on the two symmetries only. `first`: 0 where the small components have a term r^l
/// (kappa > 0), 1 where not.
template <int kDegree>
struct alignas(16) PairPolynomials {
  PolynomialBlock<kDegree> coulomb, exchange;
  int rowFirst, columnFirst;
  int angularSum;  ///< l + l'
};

/// Entry [a * n + b] for all ordered pairs of symmetries; angular momenta up to kDegree - 2.
template <int kDegree>
std::vector<PairPolynomials<kDegree>> makePairPolynomials(const std::vector<Symmetry>& symmetries);

/// c_0 x + c_1 x^2 + ... + c_(n-1) x^n.
template <int kDegree>
PROPHET_HD inline double evaluatePolynomial(const double* c, double x) {
  double sum = c[kDegree - 1];
  for (int e = kDegree - 2; e >= 0; --e) sum = sum * x + c[e];
  return sum * x;
}

/// A product of two primitives with coefficient i scaled by v^i, v = 1/S.
struct ScaledPair {
  double zeta, large, small[3];
};

PROPHET_HD inline ScaledPair scaledPair(const Primitive& a, const Primitive& b, double v) {
  return {
      a.zeta + b.zeta,
      a.norm * b.norm * v,
      {a.small0 * b.small0, (a.small0 * b.small2 + a.small2 * b.small0) * v, a.small2 * b.small2 * v * v}};
}

/// Integrals between the large and small components of two distributions f and g: ls is f large, g small.
struct ComponentIntegrals {
  double ll, ls, sl, ss;
};

/// f_n and g_n of kCount pairings of the same primitives at once, so that every coefficient is read once.
/// `sum`: S. kFirstF, kFirstG: first small-component term of f and g.
template <int kDegree, int kFirstF, int kFirstG, int kCount>
PROPHET_HD inline void componentIntegrals(const PolynomialBlock<kDegree>& c, const ScaledPair (&f)[kCount],
                                          const ScaledPair (&g)[kCount], double sum,
                                          ComponentIntegrals (&r)[kCount]) {
  double x[kCount], y[kCount];
  for (int n = 0; n < kCount; ++n) {
    const double both = sum / (f[n].zeta * g[n].zeta);
    x[n] = both * g[n].zeta;
    y[n] = both * f[n].zeta;
    r[n] = {0.0, 0.0, 0.0, 0.0};
  }
  PROPHET_UNROLL
  for (int i = kFirstF; i < 3; ++i) {
    PROPHET_UNROLL
    for (int j = kFirstG; j < 3; ++j) {
      PROPHET_UNROLL
      for (int n = 0; n < kCount; ++n) {
        const double value = evaluatePolynomial<kDegree>(c.row[i][j], x[n]) +
                             evaluatePolynomial<kDegree>(c.column[i][j], y[n]);
        const double small = f[n].small[i] * value;
        r[n].ss += small * g[n].small[j];
        if (j == 1) r[n].sl += small * g[n].large;
        if (i == 1) r[n].ls += f[n].large * g[n].small[j] * value;
        if (i == 1 && j == 1) r[n].ll = f[n].large * g[n].large * value;
      }
    }
  }
}

template <int kDegree, int kFirstF, int kFirstG>
PROPHET_HD inline SuperMatrixElement polynomialElement(const PairPolynomials<kDegree>& t, const Primitive& p,
                                                       const Primitive& q, const Primitive& r,
                                                       const Primitive& s) {
  constexpr int kFirst = kFirstF > kFirstG ? kFirstF : kFirstG;
  const double sum = (p.zeta + q.zeta) + (r.zeta + s.zeta), v = 1.0 / sum;
  const ScaledPair pq[1] = {scaledPair(p, q, v)}, rs[1] = {scaledPair(r, s, v)};
  ComponentIntegrals direct[1], crossed[2];
  componentIntegrals<kDegree, kFirstF, kFirstG>(t.coulomb, pq, rs, sum, direct);
  const ScaledPair f[2] = {scaledPair(p, r, v), scaledPair(p, s, v)};
  const ScaledPair g[2] = {scaledPair(q, s, v), scaledPair(q, r, v)};
  componentIntegrals<kDegree, kFirst, kFirst>(t.exchange, f, g, sum, crossed);
  const double w = radial::power(v, t.angularSum) * std::sqrt(v);
  return {w * (direct[0].ll - 0.5 * (crossed[0].ll + crossed[1].ll)),
          w * direct[0].ls,
          w * direct[0].sl,
          -w * crossed[1].ls,
          -w * crossed[0].ls,
          -w * crossed[1].sl,
          -w * crossed[0].sl,
          w * (direct[0].ss - 0.5 * (crossed[0].ss + crossed[1].ss))};
}

/// All eight values; the same as superMatrixElement of pair_index.hpp to rounding.
template <int kDegree>
PROPHET_HD inline SuperMatrixElement polynomialElement(const PairPolynomials<kDegree>& t, const Primitive& p,
                                                       const Primitive& q, const Primitive& r,
                                                       const Primitive& s) {
  if (t.rowFirst == 0) {
    return t.columnFirst == 0 ? polynomialElement<kDegree, 0, 0>(t, p, q, r, s)
                              : polynomialElement<kDegree, 0, 1>(t, p, q, r, s);
  }
  return t.columnFirst == 0 ? polynomialElement<kDegree, 1, 0>(t, p, q, r, s)
                            : polynomialElement<kDegree, 1, 1>(t, p, q, r, s);
}

}  // namespace prophet

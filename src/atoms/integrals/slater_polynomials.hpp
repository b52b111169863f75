#pragma once
#include <type_traits>
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

// The formulas take numbers of any kind N: double, or a vector of several elements' numbers.

/// `x`, which is an N, or the same number in all of N.
template <class N, class X>
PROPHET_HD inline N spread(X x) {
  if constexpr (std::is_same_v<X, N>) {
    return x;
  } else {
    return N{} + x;
  }
}
PROPHET_HD inline double squareRoot(double x) { return std::sqrt(x); }

/// c_0 x + c_1 x^2 + ... + c_(n-1) x^n.
template <int kDegree, class N>
PROPHET_HD inline N evaluatePolynomial(const double* c, N x) {
  N sum = x * c[kDegree - 1] + c[kDegree - 2];
  for (int e = kDegree - 3; e >= 0; --e) sum = sum * x + c[e];
  return sum * x;
}

/// A product of two primitives with coefficient i scaled by v^i, v = 1/S.
template <class N>
struct ScaledPair {
  N zeta, large, small[3];
};

/// `a`, `b`: Primitive, or the same with numbers N.
template <class N, class A, class B>
PROPHET_HD inline ScaledPair<N> scaledPair(const A& a, const B& b, N v) {
  return {spread<N>(a.zeta + b.zeta),
          v * (a.norm * b.norm),
          {spread<N>(a.small0 * b.small0), v * (a.small0 * b.small2 + a.small2 * b.small0),
           v * v * (a.small2 * b.small2)}};
}

/// Integrals between the large and small components of two distributions f and g: ls is f large, g small.
template <class N>
struct ComponentIntegrals {
  N ll, ls, sl, ss;
};

/// f_n and g_n of kCount pairings of the same primitives at once, so that every coefficient is read once.
/// `sum`: S. kFirstF, kFirstG: first small-component term of f and g.
template <int kDegree, int kFirstF, int kFirstG, int kCount, class N>
PROPHET_HD inline void componentIntegrals(const PolynomialBlock<kDegree>& c, const ScaledPair<N> (&f)[kCount],
                                          const ScaledPair<N> (&g)[kCount], N sum,
                                          ComponentIntegrals<N> (&r)[kCount]) {
  N x[kCount], y[kCount];
  for (int n = 0; n < kCount; ++n) {
    const N both = sum / (f[n].zeta * g[n].zeta);
    x[n] = both * g[n].zeta;
    y[n] = both * f[n].zeta;
    r[n] = {N{}, N{}, N{}, N{}};
  }
  PROPHET_UNROLL
  for (int i = kFirstF; i < 3; ++i) {
    PROPHET_UNROLL
    for (int j = kFirstG; j < 3; ++j) {
      PROPHET_UNROLL
      for (int n = 0; n < kCount; ++n) {
        const N value = evaluatePolynomial<kDegree>(c.row[i][j], x[n]) +
                        evaluatePolynomial<kDegree>(c.column[i][j], y[n]);
        const N small = f[n].small[i] * value;
        r[n].ss += small * g[n].small[j];
        if (j == 1) r[n].sl += small * g[n].large;
        if (i == 1) r[n].ls += f[n].large * g[n].small[j] * value;
        if (i == 1 && j == 1) r[n].ll = f[n].large * g[n].large * value;
      }
    }
  }
}

/// `p`, `q`: primitives of the row; `r`, `s`: of the column, or of several ones with numbers N.
template <class N, int kDegree, int kFirstF, int kFirstG, class Column>
PROPHET_HD inline SuperMatrixValues<N> polynomialElement(const PairPolynomials<kDegree>& t,
                                                         const Primitive& p, const Primitive& q,
                                                         const Column& r, const Column& s) {
  constexpr int kFirst = kFirstF > kFirstG ? kFirstF : kFirstG;
  const N sum = (p.zeta + q.zeta) + (r.zeta + s.zeta), v = 1.0 / sum;
  const ScaledPair<N> pq[1] = {scaledPair(p, q, v)}, rs[1] = {scaledPair(r, s, v)};
  ComponentIntegrals<N> direct[1], crossed[2];
  componentIntegrals<kDegree, kFirstF, kFirstG>(t.coulomb, pq, rs, sum, direct);
  const ScaledPair<N> f[2] = {scaledPair(p, r, v), scaledPair(p, s, v)};
  const ScaledPair<N> g[2] = {scaledPair(q, s, v), scaledPair(q, r, v)};
  componentIntegrals<kDegree, kFirst, kFirst>(t.exchange, f, g, sum, crossed);
  N w = squareRoot(v), power = v;
  for (int l = t.angularSum; l > 0; l >>= 1, power *= power) {
    if (l & 1) w *= power;
  }
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
template <int kDegree, class N = double, class Column = Primitive>
PROPHET_HD inline SuperMatrixValues<N> polynomialElement(const PairPolynomials<kDegree>& t,
                                                         const Primitive& p, const Primitive& q,
                                                         const Column& r, const Column& s) {
  if (t.rowFirst == 0) {
    return t.columnFirst == 0 ? polynomialElement<N, kDegree, 0, 0>(t, p, q, r, s)
                              : polynomialElement<N, kDegree, 0, 1>(t, p, q, r, s);
  }
  return t.columnFirst == 0 ? polynomialElement<N, kDegree, 1, 0>(t, p, q, r, s)
                            : polynomialElement<N, kDegree, 1, 1>(t, p, q, r, s);
}

}  // namespace prophet

#include "atoms/angular/spin_tensor.hpp"

#include <cmath>
#include <cstdlib>

#include "atoms/angular/angular.hpp"

namespace prophet {
namespace {

double sign(int n) { return n % 2 == 0 ? 1.0 : -1.0; }

/// <j1 m1 j2 m2|J M>, every argument twice its value.
double clebschGordan(int twoJ1, int twoM1, int twoJ2, int twoM2, int twoJ, int twoM) {
  return sign((twoJ1 - twoJ2 + twoM) / 2) * std::sqrt(twoJ + 1.0) *
         wigner3j(twoJ1, twoJ2, twoJ, twoM1, twoM2, -twoM);
}

/// Clebsch-Gordan coefficients <l m 1/2 s|j 1/2> of a spinor with projection 1/2, for s = -1/2 and 1/2.
struct SpinParts {
  double down, up;
  double operator()(int twoS) const { return twoS < 0 ? down : up; }
};

SpinParts spinParts(Symmetry s) {
  const double larger = std::sqrt((s.l() + 1.0) / (2.0 * s.l() + 1.0));
  const double smaller = std::sqrt(s.l() / (2.0 * s.l() + 1.0));
  if (s.twoJ() > 2 * s.l()) return {smaller, larger};
  return {larger, -smaller};
}

/// <s|sigma_q|s'>, s and s' = +-1 twice the projections: spherical components, sigma_+-1 = -+(x +- i
/// y)/sqrt 2.
double pauli(int twoS, int q, int twoSPrime) {
  if (twoS != twoSPrime + 2 * q) return 0.0;
  return q == 0 ? twoS : -q * std::sqrt(2.0);
}

/// <kappa 1/2|[C^L x sigma]^J_0|kappa' 1/2> from the spinors' Clebsch-Gordan expansion.
double explicitElement(Symmetry bra, int rankL, int rankJ, Symmetry ket) {
  const int l = bra.l(), lPrime = ket.l();
  const double radial =
      std::sqrt((2.0 * l + 1) * (2.0 * lPrime + 1)) * wigner3j(2 * l, 2 * rankL, 2 * lPrime, 0, 0, 0);
  const SpinParts braParts = spinParts(bra), ketParts = spinParts(ket);
  double sum = 0.0;
  for (int twoS = -1; twoS <= 1; twoS += 2) {
    for (int twoSPrime = -1; twoSPrime <= 1; twoSPrime += 2) {
      const int q = (twoS - twoSPrime) / 2, m = (1 - twoS) / 2, mPrime = (1 - twoSPrime) / 2;
      const double spin = braParts(twoS) * ketParts(twoSPrime) * pauli(twoS, q, twoSPrime) * sign(m) * radial;
      if (spin == 0.0) continue;
      // <l m|C^L_-q|l' m'> without its part that does not depend on projections.
      sum += spin * clebschGordan(2 * rankL, -2 * q, 2, 2 * q, 2 * rankJ, 0) *
             wigner3j(2 * l, 2 * rankL, 2 * lPrime, -2 * m, -2 * q, 2 * mPrime);
    }
  }
  return sum;
}

}  // namespace

double reducedSpinTensor(Symmetry bra, int rankL, int rankJ, Symmetry ket) {
  const bool triangle =
      std::abs(bra.twoJ() - ket.twoJ()) <= 2 * rankJ && 2 * rankJ <= bra.twoJ() + ket.twoJ();
  if (rankL < 0 || !triangle || (bra.l() + rankL + ket.l()) % 2 != 0) return 0.0;
  // This 3j symbol vanishes nowhere inside the triangle.
  const double symbol = wigner3j(bra.twoJ(), 2 * rankJ, ket.twoJ(), -1, 0, 1);
  return explicitElement(bra, rankL, rankJ, ket) / (sign((bra.twoJ() - 1) / 2) * symbol);
}

}  // namespace prophet

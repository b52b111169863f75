#include "atoms/angular/angular.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/factorials.hpp>
#include <cmath>
#include <cstdlib>

namespace prophet {
namespace {

/// Throws std::overflow_error beyond the range of long double (n > 1754 on x86-64). Boost's table is made
/// anew at every call, which was a tenth of the time of levels with virtual spinors; this one is kept.
long double factorial(int n) {
  static const auto kept = [] {
    std::array<long double, boost::math::max_factorial<long double>::value + 1> all;
    for (unsigned i = 0; i < all.size(); ++i) all[i] = boost::math::unchecked_factorial<long double>(i);
    return all;
  }();
  const auto i = static_cast<unsigned>(n);
  return i < kept.size() ? kept[i] : boost::math::factorial<long double>(i);
}

bool isTriangle(int j1, int j2, int j3) {
  return j3 <= j1 + j2 && j3 >= std::abs(j1 - j2) && (j1 + j2 + j3) % 2 == 0;
}

bool forbidden(int j1, int j2, int j3, int m1, int m2, int m3) {
  const bool projection = m1 + m2 + m3 != 0 || std::abs(m1) > j1 || std::abs(m2) > j2 || std::abs(m3) > j3;
  const bool parity = (j1 + m1) % 2 != 0 || (j2 + m2) % 2 != 0 || (j3 + m3) % 2 != 0;
  return projection || !isTriangle(j1, j2, j3) || parity;
}

/// The square of the factor of a triangle in Racah's formulas.
long double triangleSquare(int j1, int j2, int j3) {
  return factorial((j1 + j2 - j3) / 2) * factorial((j1 - j2 + j3) / 2) * factorial((j2 + j3 - j1) / 2) /
         factorial((j1 + j2 + j3) / 2 + 1);
}

}  // namespace

double wigner3j(int twoJ1, int twoJ2, int twoJ3, int twoM1, int twoM2, int twoM3) {
  if (forbidden(twoJ1, twoJ2, twoJ3, twoM1, twoM2, twoM3)) return 0.0;
  const auto half = [](int n) { return n / 2; };
  const int a = half(twoJ1 + twoJ2 - twoJ3), b = half(twoJ1 - twoM1), c = half(twoJ2 + twoM2);
  const int d = half(twoJ3 - twoJ2 + twoM1), e = half(twoJ3 - twoJ1 - twoM2);

  long double sum = 0.0L;
  for (int t = std::max({0, -d, -e}); t <= std::min({a, b, c}); ++t) {
    const long double term = 1.0L / (factorial(t) * factorial(d + t) * factorial(e + t) * factorial(a - t) *
                                     factorial(b - t) * factorial(c - t));
    sum += t % 2 == 0 ? term : -term;
  }
  const long double triangle = triangleSquare(twoJ1, twoJ2, twoJ3);
  const long double projections = factorial(half(twoJ1 + twoM1)) * factorial(b) * factorial(c) *
                                  factorial(half(twoJ2 - twoM2)) * factorial(half(twoJ3 + twoM3)) *
                                  factorial(half(twoJ3 - twoM3));
  const int phase = half(twoJ1 - twoJ2 - twoM3);
  const long double value = std::sqrt(triangle * projections) * sum;
  return static_cast<double>(phase % 2 == 0 ? value : -value);
}

double wigner6j(int j1, int j2, int j3, int j4, int j5, int j6) {
  if (!isTriangle(j1, j2, j3) || !isTriangle(j1, j5, j6) || !isTriangle(j4, j2, j6) ||
      !isTriangle(j4, j5, j3))
    return 0.0;
  const std::array<int, 4> low = {(j1 + j2 + j3) / 2, (j1 + j5 + j6) / 2, (j4 + j2 + j6) / 2,
                                  (j4 + j5 + j3) / 2};
  const std::array<int, 3> high = {(j1 + j2 + j4 + j5) / 2, (j2 + j3 + j5 + j6) / 2, (j3 + j1 + j6 + j4) / 2};
  long double sum = 0.0L;
  for (int t = *std::ranges::max_element(low); t <= *std::ranges::min_element(high); ++t) {
    long double term = factorial(t + 1);
    for (const int n : low) term /= factorial(t - n);
    for (const int n : high) term /= factorial(n - t);
    sum += t % 2 == 0 ? term : -term;
  }
  return static_cast<double>(std::sqrt(triangleSquare(j1, j2, j3) * triangleSquare(j1, j5, j6) *
                                       triangleSquare(j4, j2, j6) * triangleSquare(j4, j5, j3)) *
                             sum);
}

std::vector<ExchangeTerm> exchangeTerms(Symmetry a, Symmetry b) {
  std::vector<ExchangeTerm> terms;
  const int kMin = std::abs(a.twoJ() - b.twoJ()) / 2, kMax = (a.twoJ() + b.twoJ()) / 2;
  for (int k = kMin; k <= kMax; ++k) {
    if ((a.l() + b.l() + k) % 2 != 0) continue;
    const double symbol = wigner3j(a.twoJ(), 2 * k, b.twoJ(), 1, 0, -1);
    if (symbol != 0.0) terms.push_back({k, symbol * symbol});
  }
  return terms;
}

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

double reducedC(Symmetry bra, int k, Symmetry ket) {
  if ((bra.l() + ket.l() + k) % 2 != 0) return 0;
  const double sign = (bra.twoJ() + 1) / 2 % 2 == 0 ? 1 : -1;
  return sign * std::sqrt(bra.degeneracy() * ket.degeneracy()) *
         wigner3j(bra.twoJ(), 2 * k, ket.twoJ(), 1, 0, -1);
}

double reducedSpinTensor(Symmetry bra, int rankL, int rankJ, Symmetry ket) {
  const bool triangle =
      std::abs(bra.twoJ() - ket.twoJ()) <= 2 * rankJ && 2 * rankJ <= bra.twoJ() + ket.twoJ();
  if (rankL < 0 || !triangle || (bra.l() + rankL + ket.l()) % 2 != 0) return 0.0;
  // This 3j symbol vanishes nowhere inside the triangle.
  const double symbol = wigner3j(bra.twoJ(), 2 * rankJ, ket.twoJ(), -1, 0, 1);
  return explicitElement(bra, rankL, rankJ, ket) / (sign((bra.twoJ() - 1) / 2) * symbol);
}

namespace {

/// Coefficients of the radial kernel (docs/theory/dirac-hartree-fock.md, "Angular factors of the Breit
/// interaction").
struct RadialCoefficients {
  double gaunt = 0, breit = 0;
};

RadialCoefficients radialCoefficients(int j, int rank1, int rank2) {
  RadialCoefficients c;
  if (rank1 == rank2) {
    c.gaunt = rank1 == j ? 1.0 : -1.0;
    if (rank1 == j) c.breit = 1.0;
    if (rank1 == j + 1) c.breit = -j / (2.0 * j + 1.0);
    if (rank1 == j - 1) c.breit = -(j + 1.0) / (2.0 * j + 1.0);
  } else if (rank1 != j && rank2 != j) {
    c.breit = 0.5 * std::sqrt(j * (j + 1.0) * (2.0 * j - 1.0) * (2.0 * j + 3.0)) / (2.0 * j + 1.0);
  }
  return c;
}

/// Reduced matrix elements A, A', B, B' of [C^L x sigma]^J (docs/theory/dirac-hartree-fock.md, as above).
struct Elements {
  double a, aPrime, b, bPrime;
};

Elements reducedElements(Symmetry a, Symmetry b, int rankL, int rankJ) {
  const Symmetry aSmall{-a.kappa}, bSmall{-b.kappa};
  // Hermiticity: <x||T||y> = (-1)^(L + 1 - J + j_y - j_x) <y||T||x>.
  const int phase = rankL + 1 - rankJ + (a.twoJ() - b.twoJ()) / 2;
  const double sign = phase % 2 == 0 ? 1.0 : -1.0;
  const double first = reducedSpinTensor(a, rankL, rankJ, bSmall),
               second = reducedSpinTensor(aSmall, rankL, rankJ, b);
  return {first, second, sign * second, sign * first};
}

double coefficientOf(const SplitBreitTerm& t, BreitPart part) {
  if (part == BreitPart::Gaunt) return t.gaunt;
  return part == BreitPart::Gauge ? t.gauge : t.gaunt + t.gauge;
}

}  // namespace

std::vector<SplitBreitTerm> splitBreitTerms(Symmetry a, Symmetry b) {
  const int lowest = std::abs(a.twoJ() - b.twoJ()) / 2, highest = (a.twoJ() + b.twoJ()) / 2;
  const double s = (highest % 2 == 0 ? 1.0 : -1.0) / (a.degeneracy() * b.degeneracy());
  std::vector<SplitBreitTerm> terms;
  for (int j = lowest; j <= highest; ++j) {
    const int firstRank = std::max(0, j - 1);
    std::vector<Elements> elements;
    for (int rank = firstRank; rank <= j + 1; ++rank) elements.push_back(reducedElements(a, b, rank, j));
    for (int rank1 = firstRank; rank1 <= j + 1; ++rank1) {
      for (int rank2 = firstRank; rank2 <= j + 1; ++rank2) {
        const RadialCoefficients c = radialCoefficients(j, rank1, rank2);
        SplitBreitTerm t{j, rank1, rank2, c.gaunt, c.breit - c.gaunt, 0.0, 0.0, 0.0};
        if (t.gaunt == 0.0 && t.gauge == 0.0) continue;
        const Elements &e1 = elements[rank1 - firstRank], &e2 = elements[rank2 - firstRank];
        t.largeFromSmall = -s * e1.a * e2.bPrime;
        t.smallFromLarge = -s * e1.aPrime * e2.b;
        t.mixed = s * e1.a * e2.b;
        if (t.largeFromSmall != 0.0 || t.smallFromLarge != 0.0 || t.mixed != 0.0) terms.push_back(t);
      }
    }
  }
  return terms;
}

std::vector<BreitTerm> breitTerms(Symmetry a, Symmetry b, BreitPart part) {
  std::vector<BreitTerm> terms;
  for (const SplitBreitTerm& t : splitBreitTerms(a, b)) {
    const double coefficient = coefficientOf(t, part);
    if (coefficient != 0.0)
      terms.push_back({t.rankJ, t.rank1, t.rank2, coefficient, t.largeFromSmall, t.smallFromLarge, t.mixed});
  }
  return terms;
}

}  // namespace prophet

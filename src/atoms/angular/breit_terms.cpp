#include "atoms/angular/breit_terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "atoms/angular/spin_tensor.hpp"

namespace prophet {
namespace {

/// Coefficients of the radial kernel (docs/theory.md, "Angular factors of the Breit interaction").
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

/// Reduced matrix elements A, A', B, B' of [C^L x sigma]^J (docs/theory.md, as above).
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

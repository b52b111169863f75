#include "angular/breit_terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "angular/spin_tensor.hpp"

namespace prophet {
namespace {

/// Coefficient of the radial kernel (physics: section 10), Gaunt and full Breit; the gauge term is the rest.
double radialCoefficient(int j, int rank1, int rank2, BreitPart part) {
  double gaunt = 0.0, breit = 0.0;
  if (rank1 == rank2) {
    gaunt = rank1 == j ? 1.0 : -1.0;
    if (rank1 == j) breit = 1.0;
    if (rank1 == j + 1) breit = -j / (2.0 * j + 1.0);
    if (rank1 == j - 1) breit = -(j + 1.0) / (2.0 * j + 1.0);
  } else if (rank1 != j && rank2 != j) {
    breit = 0.5 * std::sqrt(j * (j + 1.0) * (2.0 * j - 1.0) * (2.0 * j + 3.0)) / (2.0 * j + 1.0);
  }
  if (part == BreitPart::Gaunt) return gaunt;
  return part == BreitPart::Breit ? breit : breit - gaunt;
}

/// Reduced elements of [C^L x sigma]^J of section 10: A, A', B, B'.
struct Elements {
  double a, aPrime, b, bPrime;
};

Elements reducedElements(Symmetry a, Symmetry b, int rankL, int rankJ) {
  const Symmetry aSmall{-a.kappa}, bSmall{-b.kappa};
  return {reducedSpinTensor(a, rankL, rankJ, bSmall), reducedSpinTensor(aSmall, rankL, rankJ, b),
          reducedSpinTensor(b, rankL, rankJ, aSmall), reducedSpinTensor(bSmall, rankL, rankJ, a)};
}

}  // namespace

std::vector<BreitTerm> breitTerms(Symmetry a, Symmetry b, BreitPart part) {
  const int lowest = std::abs(a.twoJ() - b.twoJ()) / 2, highest = (a.twoJ() + b.twoJ()) / 2;
  const double s = (highest % 2 == 0 ? 1.0 : -1.0) / (a.degeneracy() * b.degeneracy());
  std::vector<BreitTerm> terms;
  for (int j = lowest; j <= highest; ++j) {
    const int firstRank = std::max(0, j - 1);
    std::vector<Elements> elements;
    for (int rank = firstRank; rank <= j + 1; ++rank) elements.push_back(reducedElements(a, b, rank, j));
    for (int rank1 = firstRank; rank1 <= j + 1; ++rank1) {
      for (int rank2 = firstRank; rank2 <= j + 1; ++rank2) {
        BreitTerm t{j, rank1, rank2, radialCoefficient(j, rank1, rank2, part), 0.0, 0.0, 0.0};
        if (t.coefficient == 0.0) continue;
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

}  // namespace prophet

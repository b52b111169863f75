#include "breit/breit_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "angular/spin_tensor.hpp"
#include "fock/slater_kernel.hpp"

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

Eigen::VectorXd breitRadialKernel(const BreitTerm& term, double h, int points) {
  if (term.rank1 == term.rank2) return slaterKernel(term.rank1, h, points);
  // theta(r1 < r2) [r1^(J-1)/r2^J - r1^(J+1)/r2^(J+2)] sqrt(r1 r2) in x = ln(r2/r1) > 0.
  const int j = term.rankJ;
  const Eigen::VectorXd kernel = oneSidedKernel(j - 0.5, h, points) - oneSidedKernel(j + 1.5, h, points);
  return term.rank1 < term.rank2 ? kernel : kernel.reverse();
}

std::shared_ptr<const CrossKernels> breitKernels(const std::vector<Symmetry>& symmetries, double h,
                                                 int points, BreitPart part) {
  auto result = std::make_shared<CrossKernels>();
  result->symmetries = static_cast<int>(symmetries.size());
  result->points = points;
  // exp(-(k + 1/2) x), x > 0: all radial kernels are made of these and of their mirror images.
  std::map<int, Eigen::VectorXd> oneSided;
  const auto half = [&](int k) -> const Eigen::VectorXd& {
    const auto [entry, isNew] = oneSided.try_emplace(k);
    if (isNew) entry->second = oneSidedKernel(k + 0.5, h, points);
    return entry->second;
  };
  for (const Symmetry a : symmetries) {
    for (const Symmetry b : symmetries) {
      Eigen::VectorXd ll = Eigen::VectorXd::Zero(2 * points - 1), ss = ll, ls = ll, reversed = ll;
      for (const BreitTerm& t : breitTerms(a, b, part)) {
        const double cLL = t.coefficient * t.largeFromSmall, cSS = t.coefficient * t.smallFromLarge;
        const double cLS = t.coefficient * t.mixed;
        if (t.rank1 == t.rank2) {
          const Eigen::VectorXd& kernel = half(t.rank1);
          ll += cLL * kernel;
          ss += cSS * kernel;
          ls += cLS * kernel;
          reversed += cLS * kernel;
        } else {
          const Eigen::VectorXd &plus = half(t.rankJ - 1), &minus = half(t.rankJ + 1);
          ll += 0.5 * cLL * (plus - minus);
          ss += 0.5 * cSS * (plus - minus);
          (t.rank1 < t.rank2 ? ls : reversed) += cLS * (plus - minus);
        }
      }
      // Kernels of LL and SS are even in m: the two orders of each gauge term have equal factors.
      result->largeFromSmall.push_back(ll + ll.reverse());
      result->smallFromLarge.push_back(ss + ss.reverse());
      result->mixed.push_back(ls + reversed.reverse());
    }
  }
  return result;
}

}  // namespace prophet

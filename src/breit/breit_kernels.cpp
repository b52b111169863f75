#include "breit/breit_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

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

}  // namespace

std::vector<BreitTerm> breitTerms(Symmetry a, Symmetry b, BreitPart part) {
  const Symmetry aSmall{-a.kappa}, bSmall{-b.kappa};
  const int lowest = std::abs(a.twoJ() - b.twoJ()) / 2, highest = (a.twoJ() + b.twoJ()) / 2;
  const double s = (highest % 2 == 0 ? 1.0 : -1.0) / (a.degeneracy() * b.degeneracy());
  std::vector<BreitTerm> terms;
  for (int j = lowest; j <= highest; ++j) {
    for (int rank1 = std::max(0, j - 1); rank1 <= j + 1; ++rank1) {
      for (int rank2 = std::max(0, j - 1); rank2 <= j + 1; ++rank2) {
        BreitTerm t{j, rank1, rank2, radialCoefficient(j, rank1, rank2, part), 0.0, 0.0, 0.0};
        if (t.coefficient == 0.0) continue;
        const double a1 = reducedSpinTensor(a, rank1, j, bSmall);
        const double a1Prime = reducedSpinTensor(aSmall, rank1, j, b);
        const double b2 = reducedSpinTensor(b, rank2, j, aSmall);
        const double b2Prime = reducedSpinTensor(bSmall, rank2, j, a);
        t.largeFromSmall = -s * a1 * b2Prime;
        t.smallFromLarge = -s * a1Prime * b2;
        t.mixed = s * a1 * b2;
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
  std::map<std::pair<int, int>, Eigen::VectorXd> radial;
  for (const Symmetry a : symmetries) {
    for (const Symmetry b : symmetries) {
      Eigen::VectorXd ll = Eigen::VectorXd::Zero(2 * points - 1), ss = ll, ls = ll;
      for (const BreitTerm& t : breitTerms(a, b, part)) {
        // Slater kernels are told apart by L, gauge kernels by J and their order.
        const std::pair<int, int> key(t.rank1, t.rank2);
        if (!radial.count(key)) radial[key] = breitRadialKernel(t, h, points);
        ll += t.coefficient * t.largeFromSmall * radial[key];
        ss += t.coefficient * t.smallFromLarge * radial[key];
        ls += t.coefficient * t.mixed * radial[key];
      }
      // The sums over both orders of the gauge kernels are even; rounding must not spoil it.
      result->largeFromSmall.push_back(0.5 * (ll + ll.reverse()));
      result->smallFromLarge.push_back(0.5 * (ss + ss.reverse()));
      result->mixed.push_back(std::move(ls));
    }
  }
  return result;
}

}  // namespace prophet

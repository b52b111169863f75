#include "breit/breit_kernels.hpp"

#include <map>

#include "fock/slater_kernel.hpp"

namespace prophet {

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
  const std::size_t n = symmetries.size();
  for (auto* kernels : {&result->largeFromSmall, &result->smallFromLarge, &result->mixed})
    kernels->resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const Symmetry a = symmetries[i], b = symmetries[k];
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
      result->largeFromSmall[i * n + k] = ll + ll.reverse();
      result->smallFromLarge[i * n + k] = ss + ss.reverse();
      result->mixed[i * n + k] = ls + reversed.reverse();
      if (i == k) continue;
      // The interaction is self-adjoint: (b, a) follows from (a, b).
      result->largeFromSmall[k * n + i] = result->smallFromLarge[i * n + k];
      result->smallFromLarge[k * n + i] = result->largeFromSmall[i * n + k];
      result->mixed[k * n + i] = result->mixed[i * n + k].reverse();
    }
  }
  return result;
}

}  // namespace prophet

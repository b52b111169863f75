#include "atoms/breit/breit_kernels.hpp"

#include <map>

#include "atoms/fock/slater_kernel.hpp"

namespace prophet {

Eigen::VectorXd breitRadialKernel(const BreitTerm& term, double h, int points) {
  if (term.rank1 == term.rank2) return slaterKernel(term.rank1, h, points);
  // theta(r1 < r2) [r1^(J-1)/r2^J - r1^(J+1)/r2^(J+2)] sqrt(r1 r2) in x = ln(r2/r1) > 0.
  const int j = term.rankJ;
  const Eigen::VectorXd kernel = oneSidedKernel(j - 0.5, h, points) - oneSidedKernel(j + 1.5, h, points);
  return term.rank1 < term.rank2 ? kernel : kernel.reverse();
}

namespace {

/// exp(-(k + 1/2) x), x > 0: all radial kernels are made of these and of their mirror images.
class OneSidedKernels {
 public:
  OneSidedKernels(double h, int points) : h_(h), points_(points) {}
  const Eigen::VectorXd& operator()(int k) {
    const auto [entry, isNew] = kernels_.try_emplace(k);
    if (isNew) entry->second = oneSidedKernel(k + 0.5, h_, points_);
    return entry->second;
  }

 private:
  double h_;
  int points_;
  std::map<int, Eigen::VectorXd> kernels_;
};

/// Kernels of one pair of symmetries.
struct PairKernels {
  Eigen::VectorXd ll, ss, ls, reversed;  ///< halves of the first two; `reversed` acts with -m
  explicit PairKernels(int points)
      : ll(Eigen::VectorXd::Zero(2 * points - 1)), ss(ll), ls(ll), reversed(ll) {}

  void add(const SplitBreitTerm& t, double coefficient, OneSidedKernels& half) {
    if (coefficient == 0.0) return;
    const double cLL = coefficient * t.largeFromSmall, cSS = coefficient * t.smallFromLarge;
    const double cLS = coefficient * t.mixed;
    if (t.rank1 == t.rank2) {
      const Eigen::VectorXd& kernel = half(t.rank1);
      if (cLL != 0.0) ll += cLL * kernel;
      if (cSS != 0.0) ss += cSS * kernel;
      if (cLS == 0.0) return;
      ls += cLS * kernel;
      reversed += cLS * kernel;
      return;
    }
    const Eigen::VectorXd &plus = half(t.rankJ - 1), &minus = half(t.rankJ + 1);
    if (cLL != 0.0) ll += 0.5 * cLL * (plus - minus);
    if (cSS != 0.0) ss += 0.5 * cSS * (plus - minus);
    if (cLS != 0.0) (t.rank1 < t.rank2 ? ls : reversed) += cLS * (plus - minus);
  }
};

std::shared_ptr<CrossKernels> emptyKernels(std::size_t symmetries, int points) {
  auto result = std::make_shared<CrossKernels>();
  result->symmetries = static_cast<int>(symmetries);
  result->points = points;
  for (auto* kernels : {&result->largeFromSmall, &result->smallFromLarge, &result->mixed})
    kernels->resize(symmetries * symmetries);
  return result;
}

void store(const PairKernels& pair, std::size_t i, std::size_t k, CrossKernels& result) {
  const std::size_t n = result.symmetries;
  // Kernels of LL and SS are even in m: the two orders of each gauge term have equal factors.
  result.largeFromSmall[i * n + k] = pair.ll + pair.ll.reverse();
  result.smallFromLarge[i * n + k] = pair.ss + pair.ss.reverse();
  result.mixed[i * n + k] = pair.ls + pair.reversed.reverse();
  if (i == k) return;
  // The interaction is self-adjoint: (b, a) follows from (a, b).
  result.largeFromSmall[k * n + i] = result.smallFromLarge[i * n + k];
  result.smallFromLarge[k * n + i] = result.largeFromSmall[i * n + k];
  result.mixed[k * n + i] = result.mixed[i * n + k].reverse();
}

std::shared_ptr<const CrossKernels> sumOf(const CrossKernels& a, const CrossKernels& b) {
  auto sum = std::make_shared<CrossKernels>(a);
  for (std::size_t i = 0; i < a.mixed.size(); ++i) {
    sum->largeFromSmall[i] += b.largeFromSmall[i];
    sum->smallFromLarge[i] += b.smallFromLarge[i];
    sum->mixed[i] += b.mixed[i];
  }
  return sum;
}

}  // namespace

BreitKernelSet breitKernelSet(const std::vector<Symmetry>& symmetries, double h, int points) {
  OneSidedKernels half(h, points);
  const auto gaunt = emptyKernels(symmetries.size(), points), gauge = emptyKernels(symmetries.size(), points);
  for (std::size_t i = 0; i < symmetries.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      PairKernels first(points), second(points);
      for (const SplitBreitTerm& t : splitBreitTerms(symmetries[i], symmetries[k])) {
        first.add(t, t.gaunt, half);
        second.add(t, t.gauge, half);
      }
      store(first, i, k, *gaunt);
      store(second, i, k, *gauge);
    }
  }
  return {gaunt, gauge, sumOf(*gaunt, *gauge)};
}

std::shared_ptr<const CrossKernels> breitKernels(const std::vector<Symmetry>& symmetries, double h,
                                                 int points, BreitPart part) {
  const BreitKernelSet set = breitKernelSet(symmetries, h, points);
  if (part == BreitPart::Gaunt) return set.gaunt;
  return part == BreitPart::Gauge ? set.gauge : set.breit;
}

}  // namespace prophet

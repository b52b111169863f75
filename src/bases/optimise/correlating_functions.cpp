#include "bases/optimise/correlating_functions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr int kMostSets = 4;
constexpr double kRatio[kMostSets] = {1.0, 3.4, 2.8, 2.4};
constexpr double kAlreadyThere = 1.25;
constexpr double kGolden = 0.6180339887498949;

/// ln of the norm of r^(l+1) exp(-zeta r^2), up to what does not depend on zeta.
double logNorm(double zeta, int l) { return 0.5 * (l + 1.5) * std::log(2.0 * zeta); }

/// A spinor of l, j = l + 1/2 where it has electrons: exponents and large coefficients.
struct SpinorOfL {
  std::vector<double> exponents;
  Eigen::VectorXd coefficients;
};

/// The outermost one, or the one with this many others of its symmetry below it.
SpinorOfL spinorOf(const BasisSet& basis, const ScfResult& scf, int l, std::optional<int> below = {}) {
  for (const int a : {2 * l, 2 * l - 1}) {
    if (a < 0 || a >= static_cast<int>(scf.symmetries.size())) continue;
    const SymmetrySpinors& s = scf.symmetries[a];
    if (s.occupations.size() <= below.value_or(0)) continue;
    std::vector<Eigen::Index> ascending(static_cast<std::size_t>(s.occupations.size()));
    std::iota(ascending.begin(), ascending.end(), 0);
    std::ranges::sort(ascending, {}, [&](Eigen::Index i) { return s.energies(i); });
    const Eigen::Index column = below ? ascending[static_cast<std::size_t>(*below)] : ascending.back();
    return {basis.symmetries[a].exponents, s.large.col(column)};
  }
  throw Error("the atom has no spinor of this angular momentum");
}

/// l of the element's block where it has electrons of its own: La and Th, without f electrons of theirs,
/// count as d.
int valenceBlock(int z, const ScfResult& scf) {
  const int block = blockOf(z);
  if (block < 3) return block;
  constexpr int kUpperF = 6, kLastWith4f = 70;
  const int shells = z <= kLastWith4f ? 1 : 2;  // 4f, and 5f
  const bool own = static_cast<int>(scf.symmetries.size()) >= kUpperF &&
                   scf.symmetries[kUpperF - 1].occupations.size() >= shells;
  return own ? 3 : 2;
}

bool isThere(const std::vector<double>& exponents, double zeta) {
  return std::ranges::any_of(
      exponents, [&](double known) { return std::abs(std::log(known / zeta)) < std::log(kAlreadyThere); });
}

}  // namespace

double followingExponent(const std::vector<double>& exponents, const Eigen::VectorXd& coefficients, int l,
                         int following, Lobe lobe) {
  const double power = 0.5 * (l + following + 3);
  const auto overlap = [&](double logZeta) {
    const double zeta = std::exp(logZeta);
    double sum = 0.0;
    for (std::size_t p = 0; p < exponents.size(); ++p)
      sum += coefficients(static_cast<Eigen::Index>(p)) *
             std::exp(logNorm(exponents[p], l) + logNorm(zeta, following) -
                      power * std::log(exponents[p] + zeta));
    return std::abs(sum);
  };
  // The maximum of the outermost lobe: from diffuse functions inwards, the first one that rises no more. A
  // very diffuse function of a large set leaves ripples beyond the lobe, which are none.
  constexpr double kStep = 0.05, kLobe = 0.1;  // kLobe: of the largest overlap
  const double start = std::log(*std::ranges::min_element(exponents) / 10.0);
  const double end = std::log(*std::ranges::max_element(exponents) * 10.0);
  double at = start;
  for (double x = start; x < end; x += kStep)
    if (overlap(x) > overlap(at)) at = x;
  if (lobe == Lobe::Outermost) {
    const double least = kLobe * overlap(at);
    at = start;
    while (at < end && (overlap(at) < least || overlap(at + kStep) > overlap(at))) at += kStep;
  }
  double low = at - kStep, high = at + kStep;
  while (high - low > 1e-7) {
    const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    if (overlap(left) < overlap(right)) {
      low = left;
    } else {
      high = right;
    }
  }
  return std::exp(0.5 * (low + high));
}

double valenceCentre(const BasisSet& basis, const ScfResult& scf, int l, int following) {
  const SpinorOfL valence = spinorOf(basis, scf, l);
  return followingExponent(valence.exponents, valence.coefficients, l, following);
}

double spinorCentre(const BasisSet& basis, const ScfResult& scf, int n, int l, int following) {
  const SpinorOfL spinor = spinorOf(basis, scf, l, n - l - 1);
  return followingExponent(spinor.exponents, spinor.coefficients, l, following, Lobe::Largest);
}

std::vector<FunctionGroup> correlatingFunctions(int z, const BasisSet& basis, const ScfResult& scf,
                                                int sets) {
  if (sets < 1 || sets > kMostSets) throw Error("sets of correlating functions: expected 1 to 4");
  std::vector<FunctionGroup> groups;
  const auto add = [&](const char* name, int from, int following, int count) {
    const double centre = valenceCentre(basis, scf, from, following);
    const std::size_t upper = static_cast<std::size_t>(2 * following);
    FunctionGroup group{name, following, {}};
    for (int i = 0; i < count; ++i) {
      const double zeta = centre * std::pow(kRatio[count - 1], i - 0.5 * (count - 1));
      if (upper < basis.symmetries.size() && isThere(basis.symmetries[upper].exponents, zeta)) continue;
      group.exponents.push_back(zeta);
    }
    if (!group.exponents.empty()) groups.push_back(std::move(group));
  };
  const int block = valenceBlock(z, scf);
  if (block > 1) add("polarisation", 0, 1, sets);
  for (int k = 0; k < sets; ++k) add(k == 0 ? "polarisation" : "correlation", block, block + 1 + k, sets - k);
  return groups;
}

}  // namespace prophet

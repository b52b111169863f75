#include "atoms/frozen/reference_basis.hpp"

#include <algorithm>
#include <cmath>

#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kFirstExponent = 0.004;

/// Smallest exponent that a symmetry needs, bohr^-2; the lightest atoms have no diffuse shell.
double smallestExponent(Symmetry symmetry, double charge) {
  if (charge <= 2.0) return 0.015;
  if (symmetry.l() < 2) return kFirstExponent;
  return symmetry.l() == 2 ? 0.008 : 0.03;
}

/// Largest exponent: s+ and p- reach into the nucleus, whose size limits them (30 times its own exponent).
double largestExponent(Symmetry symmetry, const Nucleus& nucleus) {
  constexpr double kInsideNucleus = 30.0;
  const double z2 = nucleus.charge * nucleus.charge;
  double inside = INFINITY;
  if (nucleus.rms > 0.0) inside = kInsideNucleus * 1.5 / (nucleus.rms * nucleus.rms);
  if (symmetry.l() == 0) return std::min(inside, 1e6 * z2);
  if (symmetry.kappa == 1) return std::min(inside, 1e5 * z2);
  if (symmetry.l() == 1) return 1e4 * z2;
  return symmetry.l() == 2 ? 3e2 * z2 : 10.0 * z2;
}

/// Numbers the groups that are used anew, in their order, and drops the others.
void dropUnusedGroups(WellTemperedSpec& spec) {
  std::vector<WellTemperedParameters> groups;
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    const int number = static_cast<int>(g) + 1;
    if (std::count(spec.group.begin(), spec.group.end(), number) == 0) continue;
    groups.push_back(spec.groups[g]);
    std::replace(spec.group.begin(), spec.group.end(), number, static_cast<int>(groups.size()));
  }
  spec.groups = groups;
}

}  // namespace

WellTemperedSpec occupiedPart(const WellTemperedSpec& spec, const Configuration& configuration) {
  std::size_t count = configuration.symmetries.size();
  while (count > 0 && configuration.occupiedSpinors(static_cast<int>(count) - 1) == 0) --count;
  if (count > spec.functions.size()) throw Error("the set has no functions for some of the electrons");
  WellTemperedSpec part = spec;
  part.functions.resize(count);
  part.start.resize(count);
  part.group.resize(count);
  dropUnusedGroups(part);
  return part;
}

WellTemperedSpec universalSpec(const Nucleus& nucleus, const Configuration& configuration, double beta) {
  WellTemperedSpec spec;
  spec.groups = {{kFirstExponent, beta, 0.0, 0.0}};
  const double step = std::log(beta);
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a) {
    const Symmetry symmetry = Symmetry::fromIndex(static_cast<int>(a));
    const int first =
        1 + static_cast<int>(std::log(smallestExponent(symmetry, nucleus.charge) / kFirstExponent) / step);
    const int last =
        1 + static_cast<int>(std::ceil(std::log(largestExponent(symmetry, nucleus) / kFirstExponent) / step));
    spec.start.push_back(first);
    spec.functions.push_back(last - first + 1);
    spec.group.push_back(1);
  }
  return spec;
}

WellTemperedSpec sharedLadderSpec(const Nucleus& nucleus, const Configuration& configuration, double beta) {
  constexpr int kLongest = 200;
  const WellTemperedParameters p{kFirstExponent, beta, 5.0, 1.0};
  // s reaches furthest; of an l the lower symmetry does.
  const auto reach = [&](Symmetry s) { return largestExponent(s.l() > 0 ? Symmetry{s.l()} : s, nucleus); };
  std::vector<double> pool;
  for (int length = 1; length <= kLongest && (pool.empty() || pool.back() < reach(Symmetry{-1})); ++length)
    pool = wellTemperedExponents(p, 1, length, length);
  WellTemperedSpec spec;
  spec.groups = {p};
  spec.pool = LadderPool::Shared;
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a) {
    const Symmetry symmetry = Symmetry::fromIndex(static_cast<int>(a));
    const auto above = std::upper_bound(pool.begin() + 1, pool.end(),
                                        symmetry.l() > 0 ? smallestExponent(symmetry, nucleus.charge) : 0.0);
    const auto end = std::lower_bound(pool.begin(), pool.end(), reach(symmetry));
    const auto start = static_cast<int>(above - pool.begin());
    const int last = static_cast<int>(end - pool.begin()) + (end == pool.end() ? 0 : 1);
    spec.start.push_back(start);
    spec.functions.push_back(last - start + 1);
    spec.group.push_back(1);
  }
  return spec;
}

}  // namespace prophet

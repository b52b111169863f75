#include "atoms/basis/well_tempered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/basis/basis_set.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr int kLargestLadder = 10000;

void checkParameters(const WellTemperedParameters& p, std::size_t group) {
  const auto check = [group](const char* name, double value, bool fits, const char* expected) {
    if (!fits || !std::isfinite(value)) {
      throw Error(
          fmt::format("well-tempered group {}: {} = {:g}, expected {}", group + 1, name, value, expected));
    }
  };
  check("alpha", p.alpha, p.alpha > 0.0, "a positive number");
  check("beta", p.beta, p.beta > 1.0, "a number above 1");
  check("delta", p.delta, p.delta >= 0.0, "a number of 0 or more");
  check("gamma", p.gamma, p.gamma >= 0.0, "a number of 0 or more");
}

void checkCounts(const WellTemperedSpec& spec) {
  const std::size_t n = spec.functions.size();
  if (n == 0) throw Error("a well-tempered basis needs the number of functions of at least one symmetry");
  if (spec.start.size() != n || spec.group.size() != n) {
    throw Error(fmt::format(
        "{} symmetries have a number of functions, {} a start and {} a group: give as many of each", n,
        spec.start.size(), spec.group.size()));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::string label = Symmetry::fromIndex(static_cast<int>(i)).label();
    const auto check = [&label](const char* name, int value, int largest) {
      if (value < 1 || value > largest) {
        throw Error(fmt::format("symmetry {}: {} {}, expected 1 to {}", label, name, value, largest));
      }
    };
    check("number of functions", spec.functions[i], kLargestLadder);
    check("first ladder index", spec.start[i], kLargestLadder);
    check("group", spec.group[i], static_cast<int>(spec.groups.size()));
  }
}

int lastIndex(const WellTemperedSpec& spec, std::size_t i) { return spec.start[i] + spec.functions[i] - 1; }

int ladderLength(const WellTemperedSpec& spec, std::size_t symmetry) {
  int length = lastIndex(spec, symmetry);
  if (spec.pool == LadderPool::Symmetry) return length;
  for (std::size_t i = 0; i < spec.functions.size(); ++i) {
    if (spec.group[i] == spec.group[symmetry]) length = std::max(length, lastIndex(spec, i));
  }
  return length;
}

/// Whether the two readings of M give different exponents.
bool poolMatters(const WellTemperedSpec& spec) {
  WellTemperedSpec shared = spec;
  shared.pool = LadderPool::Shared;
  for (std::size_t i = 0; i < spec.functions.size(); ++i) {
    const double gamma = spec.groups[static_cast<std::size_t>(spec.group[i] - 1)].gamma;
    if (gamma > 0.0 && ladderLength(shared, i) > lastIndex(spec, i)) return true;
  }
  return false;
}

}  // namespace

std::vector<double> wellTemperedExponents(const WellTemperedParameters& p, int start, int count,
                                          int ladderLength) {
  std::vector<double> exponents;
  exponents.reserve(static_cast<std::size_t>(count));
  double zeta = p.alpha;
  for (int k = 1; k < start + count; ++k) {
    if (k > 1) zeta *= p.beta * (1.0 + p.gamma * std::pow(static_cast<double>(k) / ladderLength, p.delta));
    if (k >= start) exponents.push_back(zeta);
  }
  return exponents;
}

BasisSet makeWellTempered(const WellTemperedSpec& spec) {
  for (std::size_t g = 0; g < spec.groups.size(); ++g) checkParameters(spec.groups[g], g);
  checkCounts(spec);
  BasisSet basis;
  basis.description = "well-tempered";
  if (poolMatters(spec))
    basis.description +=
        spec.pool == LadderPool::Shared ? ", one pool for all symmetries:" : ", a ladder for each symmetry:";
  for (std::size_t i = 0; i < spec.functions.size(); ++i) {
    const auto& parameters = spec.groups[static_cast<std::size_t>(spec.group[i] - 1)];
    SymmetryBasis symmetry{
        Symmetry::fromIndex(static_cast<int>(i)),
        wellTemperedExponents(parameters, spec.start[i], spec.functions[i], ladderLength(spec, i))};
    const auto wrong =
        std::find_if_not(symmetry.exponents.begin(), symmetry.exponents.end(), isUsableExponent);
    if (wrong != symmetry.exponents.end()) {
      throw Error(fmt::format(
          "symmetry {}: exponent {} of the ladder is {:g}, expected {}; {}", symmetry.symmetry.label(),
          wrong - symmetry.exponents.begin() + spec.start[i], *wrong, expectedExponent(),
          *wrong < kSmallestExponent ? "use a larger alpha"
                                     : "use fewer functions, or a smaller alpha or beta"));
    }
    basis.description += fmt::format(" {}{}", symmetry.size(), symmetry.symmetry.label());
    basis.symmetries.push_back(std::move(symmetry));
  }
  return basis;
}

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
  constexpr double kLargestInsideNucleus = 30.0;
  const double z2 = nucleus.charge * nucleus.charge;
  double inside = INFINITY;
  if (nucleus.rms > 0.0) inside = kLargestInsideNucleus * 1.5 / (nucleus.rms * nucleus.rms);
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
  constexpr int kMostFunctions = 200;
  const WellTemperedParameters p{kFirstExponent, beta, 5.0, 1.0};
  // s reaches furthest; of an l the lower symmetry does.
  const auto reach = [&](Symmetry s) { return largestExponent(s.l() > 0 ? Symmetry{s.l()} : s, nucleus); };
  std::vector<double> pool;
  for (int length = 1; length <= kMostFunctions && (pool.empty() || pool.back() < reach(Symmetry{-1}));
       ++length)
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

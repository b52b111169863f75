#include "atoms/atom/default_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "core/common/error.hpp"

namespace prophet {

// Ground configurations of the neutral atoms; those of basis_sets/reference/numerical_energies.csv where it
// has the element, else (Ti, Co, Se, Zr, Ru, I, Pr, Tb, Tm, Ta, Pt, Bi, Fr, Th, Am, Es, Rf, Mt, Nh, Ts) the
// generally accepted ones.
const std::string& groundConfiguration(int z) {
  static const std::array<std::string, kLastElement> kConfigurations = {{
      "1s1",
      "1s2",
      "1s2 2s1",
      "1s2 2s2",
      "1s2 2s2 2p1",
      "1s2 2s2 2p2",
      "1s2 2s2 2p3",
      "1s2 2s2 2p4",
      "1s2 2s2 2p5",
      "1s2 2s2 2p6",
      "[Ne] 3s1",
      "[Ne] 3s2",
      "[Ne] 3s2 3p1",
      "[Ne] 3s2 3p2",
      "[Ne] 3s2 3p3",
      "[Ne] 3s2 3p4",
      "[Ne] 3s2 3p5",
      "[Ne] 3s2 3p6",
      "[Ar] 4s1",
      "[Ar] 4s2",
      "[Ar] 3d1 4s2",
      "[Ar] 3d2 4s2",
      "[Ar] 3d3 4s2",
      "[Ar] 3d5 4s1",
      "[Ar] 3d5 4s2",
      "[Ar] 3d6 4s2",
      "[Ar] 3d7 4s2",
      "[Ar] 3d8 4s2",
      "[Ar] 3d10 4s1",
      "[Ar] 3d10 4s2",
      "[Ar] 3d10 4s2 4p1",
      "[Ar] 3d10 4s2 4p2",
      "[Ar] 3d10 4s2 4p3",
      "[Ar] 3d10 4s2 4p4",
      "[Ar] 3d10 4s2 4p5",
      "[Ar] 3d10 4s2 4p6",
      "[Kr] 5s1",
      "[Kr] 5s2",
      "[Kr] 4d1 5s2",
      "[Kr] 4d2 5s2",
      "[Kr] 4d4 5s1",
      "[Kr] 4d5 5s1",
      "[Kr] 4d5 5s2",
      "[Kr] 4d7 5s1",
      "[Kr] 4d8 5s1",
      "[Kr] 4d10",
      "[Kr] 4d10 5s1",
      "[Kr] 4d10 5s2",
      "[Kr] 4d10 5s2 5p1",
      "[Kr] 4d10 5s2 5p2",
      "[Kr] 4d10 5s2 5p3",
      "[Kr] 4d10 5s2 5p4",
      "[Kr] 4d10 5s2 5p5",
      "[Kr] 4d10 5s2 5p6",
      "[Xe] 6s1",
      "[Xe] 6s2",
      "[Xe] 5d1 6s2",
      "[Xe] 4f1 5d1 6s2",
      "[Xe] 4f3 6s2",
      "[Xe] 4f4 6s2",
      "[Xe] 4f5 6s2",
      "[Xe] 4f6 6s2",
      "[Xe] 4f7 6s2",
      "[Xe] 4f7 5d1 6s2",
      "[Xe] 4f9 6s2",
      "[Xe] 4f10 6s2",
      "[Xe] 4f11 6s2",
      "[Xe] 4f12 6s2",
      "[Xe] 4f13 6s2",
      "[Xe] 4f14 6s2",
      "[Xe] 4f14 5d1 6s2",
      "[Xe] 4f14 5d2 6s2",
      "[Xe] 4f14 5d3 6s2",
      "[Xe] 4f14 5d4 6s2",
      "[Xe] 4f14 5d5 6s2",
      "[Xe] 4f14 5d6 6s2",
      "[Xe] 4f14 5d7 6s2",
      "[Xe] 4f14 5d9 6s1",
      "[Xe] 4f14 5d10 6s1",
      "[Xe] 4f14 5d10 6s2",
      "[Xe] 4f14 5d10 6s2 6p1",
      "[Xe] 4f14 5d10 6s2 6p2",
      "[Xe] 4f14 5d10 6s2 6p3",
      "[Xe] 4f14 5d10 6s2 6p4",
      "[Xe] 4f14 5d10 6s2 6p5",
      "[Xe] 4f14 5d10 6s2 6p6",
      "[Rn] 7s1",
      "[Rn] 7s2",
      "[Rn] 6d1 7s2",
      "[Rn] 6d2 7s2",
      "[Rn] 5f2 6d1 7s2",
      "[Rn] 5f3 6d1 7s2",
      "[Rn] 5f4 6d1 7s2",
      "[Rn] 5f6 7s2",
      "[Rn] 5f7 7s2",
      "[Rn] 5f7 6d1 7s2",
      "[Rn] 5f9 7s2",
      "[Rn] 5f10 7s2",
      "[Rn] 5f11 7s2",
      "[Rn] 5f12 7s2",
      "[Rn] 5f13 7s2",
      "[Rn] 5f14 7s2",
      "[Rn] 5f14 7s2 7p1",
      "[Rn] 5f14 6d2 7s2",
      "[Rn] 5f14 6d3 7s2",
      "[Rn] 5f14 6d4 7s2",
      "[Rn] 5f14 6d5 7s2",
      "[Rn] 5f14 6d6 7s2",
      "[Rn] 5f14 6d7 7s2",
      "[Rn] 5f14 6d8 7s2",
      "[Rn] 5f14 6d9 7s2",
      "[Rn] 5f14 6d10 7s2",
      "[Rn] 5f14 6d10 7s2 7p1",
      "[Rn] 5f14 6d10 7s2 7p2",
      "[Rn] 5f14 6d10 7s2 7p3",
      "[Rn] 5f14 6d10 7s2 7p4",
      "[Rn] 5f14 6d10 7s2 7p5",
      "[Rn] 5f14 6d10 7s2 7p6",
  }};
  if (z < 1 || z > kLastElement)
    throw Error(
        fmt::format("no ground configuration is known for nuclear charge {}; give one (config='...')", z));
  return kConfigurations[static_cast<std::size_t>(z - 1)];
}

namespace {

/// A configuration of some atoms with as many electrons.
struct IsoelectronicRange {
  int electrons, firstZ, lastZ;
  const char* configuration;
};

constexpr IsoelectronicRange kNistExceptions[] = {
#include "atoms/atom/nist_exceptions.inc"
};

/// Negative ions whose configuration, seen in photodetachment, is not that of the neutral atom with as many
/// electrons.
struct Anion {
  int z;
  const char* configuration;
};
constexpr Anion kAnions[] = {
    // T. Andersen, H. K. Haugen, H. Hotop, J. Phys. Chem. Ref. Data 28, 1511 (1999)
    {20, "[Ar] 4s2 4p1"},
    {21, "[Ar] 3d1 4s2 4p1"},
    {23, "[Ar] 3d4 4s2"},
    {28, "[Ar] 3d9 4s2"},
    {38, "[Kr] 5s2 5p1"},
    {39, "[Kr] 4d1 5s2 5p1"},
    {40, "[Kr] 4d3 5s2"},
    {41, "[Kr] 4d4 5s2"},
    {44, "[Kr] 4d7 5s2"},
    {45, "[Kr] 4d8 5s2"},
    {56, "[Xe] 6s2 6p1"},
    {57, "[Xe] 5d2 6s2"},
    {77, "[Xe] 4f14 5d8 6s2"},
    {78, "[Xe] 4f14 5d9 6s2"},
    // C. W. Walter et al., Phys. Rev. A 84, 032514 (2011)
    {58, "[Xe] 4f1 5d2 6s2"},
    // V. T. Davis, J. S. Thompson, J. Phys. B 34, L433 (2001)
    {71, "[Xe] 4f14 5d1 6s2 6p1"},
    // R. Tang et al., Phys. Rev. A 98, 020501 (2018) and Phys. Rev. Lett. 123, 203002 (2019)
    {72, "[Xe] 4f14 5d2 6s2 6p1"},
    {90, "[Rn] 6d3 7s2"},
};
/// Those of which the same sources say what the rule says too.
constexpr int kAnionsAsAtoms[] = {1,  3,  5,  6,  8,  9,  11, 13, 14, 15, 16, 17, 19, 22,
                                  24, 26, 27, 29, 31, 32, 33, 34, 35, 37, 42, 46, 47, 49,
                                  50, 51, 52, 53, 55, 73, 74, 76, 79, 81, 82, 83};

/// Whether NIST's database has the ion: all up to Lr, beyond it some.
bool isInNist(int z, int charge) {
  constexpr int kComplete = 103, kLast = 110, kLastFromNeutral = 108;
  const int n = z - charge;
  if (z <= kComplete) return charge >= 0;
  if (z > kLast || charge < 0) return false;
  const bool few = n <= 2 || (n >= 4 && n <= 46) || (n >= 69 && n <= 78) || (n >= 91 && n <= 102);
  return few || n == 105 || (n > 102 && z <= kLastFromNeutral);
}

std::string cationByRule(int z, int charge) {
  std::vector<Shell> shells = parseShells(groundConfiguration(z));
  std::sort(shells.begin(), shells.end(),
            [](const Shell& a, const Shell& b) { return std::tie(a.n, a.l) < std::tie(b.n, b.l); });
  for (auto shell = shells.rbegin(); shell != shells.rend(); ++shell) {
    const int lost = std::min(charge, shell->electrons);
    shell->electrons -= lost;
    charge -= lost;
  }
  return configurationText(std::move(shells));
}

DefaultConfiguration anion(int z, int charge) {
  const std::string asAtom = groundConfiguration(z - charge);
  if (charge == -1) {
    const char* published = "that of the published spectra of negative ions";
    for (const Anion& a : kAnions)
      if (a.z == z) return {a.configuration, ConfigurationSource::Nist, published};
    if (std::find(std::begin(kAnionsAsAtoms), std::end(kAnionsAsAtoms), z) != std::end(kAnionsAsAtoms))
      return {asAtom, ConfigurationSource::Nist, published};
  }
  return {asAtom, ConfigurationSource::Rule,
          "by rule: that of the neutral atom with the same number of electrons"};
}

}  // namespace

template <>
const Names<ConfigurationSource>& namesOf() {
  static const Names<ConfigurationSource> kNames = {{"given", ConfigurationSource::Given},
                                                    {"nist", ConfigurationSource::Nist},
                                                    {"rule", ConfigurationSource::Rule}};
  return kNames;
}

DefaultConfiguration defaultConfiguration(int z, int charge) {
  const int electrons = z - charge;
  if (electrons < 1)
    throw Error(
        fmt::format("{} with charge {:+d} has no electrons; give a smaller charge", symbolOf(z), charge));
  if (electrons > kLastElement)
    throw Error(fmt::format("{} with charge {:+d} has more than {} electrons; give config='...'", symbolOf(z),
                            charge, kLastElement));
  if (charge < 0) return anion(z, charge);
  const std::string byRule = charge > 0 ? cationByRule(z, charge) : groundConfiguration(z);
  if (!isInNist(z, charge)) {
    const char* rule = charge > 0 ? "by rule: the electrons of the largest n and l are removed"
                                  : "by rule: the generally accepted one";
    return {byRule, ConfigurationSource::Rule, rule};
  }
  const char* nist = "the ground configuration of NIST's Atomic Spectra Database";
  for (const IsoelectronicRange& r : kNistExceptions) {
    if (r.electrons == electrons && r.firstZ <= z && z <= r.lastZ)
      return {r.configuration, ConfigurationSource::Nist, nist};
  }
  return {byRule, ConfigurationSource::Nist, nist};
}

}  // namespace prophet

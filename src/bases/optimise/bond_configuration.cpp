#include "bases/optimise/bond_configuration.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"

namespace prophet {
namespace {

constexpr int kD = 10;
/// Of the positive ion: the first of those tried (0.5, 0.7, 0.9) with which bonds of Tl, Pb, Br and I in the
/// double-zeta sets are as strong as with the published ones (docs/engineering/basis-searches.md).
constexpr double kIonShare = 0.9;

/// ns and (n-1)d of a d block; false where the ground lacks them or has valence electrons elsewhere.
bool outerShells(std::vector<Shell>& shells, Shell*& s, Shell*& d) {
  const int n = std::ranges::max_element(shells, {}, &Shell::n)->n;
  s = d = nullptr;
  for (Shell& shell : shells) {
    if (shell.n == n && shell.l > 0 && shell.electrons > 0) return false;
    if (shell.n == n && shell.l == 0) s = &shell;
    if (shell.n == n - 1 && shell.l == 2) d = &shell;
  }
  return s && d;
}

/// The shells of a d block's ground configuration, with the outermost s shell also where it is empty.
std::vector<Shell> shellsWithOuterS(int z) {
  constexpr int kPd = 46;
  std::vector<Shell> shells = parseShells(groundConfiguration(z));
  if (z == kPd) shells.push_back({5, 0});
  return shells;
}

/// All configurations d^k s^2 and d^(k+1) s^1, and the ground's.
std::set<std::string> neutralConfigurations(int z) {
  std::set<std::string> texts{configurationText(parseShells(groundConfiguration(z)))};
  if (blockOf(z) != 2) return texts;
  std::vector<Shell> shells = shellsWithOuterS(z);
  Shell *s = nullptr, *d = nullptr;
  if (!outerShells(shells, s, d)) return texts;
  const int electrons = s->electrons + d->electrons;
  for (const int ofS : {1, 2}) {
    if (electrons - ofS > kD || electrons - ofS < 1) continue;
    s->electrons = ofS;
    d->electrons = electrons - ofS;
    texts.insert(configurationText(shells));
  }
  return texts;
}

}  // namespace

std::string valenceConfiguration(int z) {
  std::vector<Shell> shells = shellsWithOuterS(z);
  Shell *s = nullptr, *d = nullptr;
  if (blockOf(z) == 2 && outerShells(shells, s, d) && s->electrons == 0) {
    s->electrons = 1;
    --d->electrons;
    return configurationText(shells);
  }
  return groundConfiguration(z);
}

Configuration bondConfiguration(int z) {
  std::vector<ConfigurationShare> parts;
  const std::set<std::string> neutral = neutralConfigurations(z);
  for (const std::string& text : neutral)
    parts.push_back({(1 - kIonShare) / static_cast<double>(neutral.size()), parseConfiguration(text)});
  parts.push_back({kIonShare, parseConfiguration(defaultConfiguration(z, 1).text)});
  return averageConfigurations(parts);
}

}  // namespace prophet

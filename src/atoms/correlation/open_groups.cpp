#include "atoms/correlation/open_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/error.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

double choose(int from, int count) {
  if (count < 0 || count > from) return 0;
  double value = 1;
  for (int i = 1; i <= count; ++i) value *= static_cast<double>(from - count + i) / i;
  return value;
}

}  // namespace

OpenGroups::OpenGroups(const Configuration& configuration) {
  const auto refuse = [&] {
    throw Error(fmt::format(
        "second order is that of closed shells, and of the average over one configuration of shells such as "
        "'[Ne] 3s2 3p2'; found '{}'",
        configuration.description));
  };
  try {
    for (const Shell& s : parseShells(configuration.description))
      if (s.electrons > 0 && !s.full()) shells_.push_back(s);
  } catch (const ConfigurationError&) {
    refuse();
  }
  for (const OpenSpinor& o : configuration.openSpinors()) {
    const Symmetry symmetry = Symmetry::fromIndex(o.symmetry);
    const SpinorOccupation& spinor = configuration.symmetries[usize(o.symmetry)].spinors[usize(o.position)];
    const int group = groupOf(symmetry, symmetry.l() + 1 + spinor.number);
    if (group == kNone) {
      refuse();
    } else if (std::abs(spinor.electrons * shell(group).capacity() -
                        static_cast<double>(shell(group).electrons) * symmetry.degeneracy()) > 1e-6) {
      refuse();
    }
  }
}

int OpenGroups::groupOf(Symmetry symmetry, int n) const {
  const auto found = std::ranges::find_if(
      shells_, [&](const Shell& s) { return s.n == n && s.l == symmetry.l() && s.has(symmetry.twoJ()); });
  return found == shells_.end() ? kNone : static_cast<int>(found - shells_.begin());
}

double OpenGroups::probability(const std::vector<int>& occupied, const std::vector<int>& empty) const {
  double product = 1;
  for (int g = 0; g < count(); ++g) {
    const auto held = static_cast<int>(std::ranges::count(occupied, g));
    const auto free = static_cast<int>(std::ranges::count(empty, g));
    if (held + free == 0) continue;
    const int places = shell(g).capacity(), electrons = shell(g).electrons;
    product *= choose(places - held - free, electrons - held) / choose(places, electrons);
  }
  return product;
}

}  // namespace prophet

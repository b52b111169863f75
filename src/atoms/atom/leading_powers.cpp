#include "atoms/atom/leading_powers.hpp"

#include <algorithm>
#include <cmath>

namespace prophet {

LeadingPowers analyticPowers(Symmetry s) { return {s.l() + 1.0, s.lSmall() + 1.0}; }

LeadingPowers leadingPowers(const Nucleus& nucleus, Symmetry s, double c) {
  if (std::isinf(c)) return {s.l() + 1.0, s.l() + 1.0};
  if (nucleus.model != NuclearModel::Point) return analyticPowers(s);
  const double coupling = nucleus.charge / c;
  const double gamma = std::sqrt(std::max(0.0, s.kappa * s.kappa - coupling * coupling));
  return {gamma, gamma};
}

}  // namespace prophet

#include "atoms/atom/wavefunction.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/common/error.hpp"

namespace prophet {

LeadingPowers analyticPowers(Symmetry s) { return {s.l() + 1.0, s.lSmall() + 1.0}; }

LeadingPowers leadingPowers(const Nucleus& nucleus, Symmetry s, double c, bool scalar) {
  const int l = s.l();
  if (std::isinf(c) || (scalar && !nucleus.isPoint())) return {l + 1.0, l + 1.0};
  if (!nucleus.isPoint()) return analyticPowers(s);
  const double coupling = nucleus.charge / c, square = scalar ? l * (l + 1) + 1 : s.kappa * s.kappa;
  const double gamma = std::sqrt(std::max(0.0, square - coupling * coupling));
  return {gamma, gamma};
}

std::vector<RadialFunctions> Wavefunction::allRadial(const Eigen::VectorXd& r) const {
  std::vector<RadialFunctions> all;
  for (int i = 0; i < count(); ++i) all.push_back(radial(i, r));
  return all;
}

void requireSpinorAndRadii(int index, int count, const Eigen::VectorXd& r) {
  if (index < 0 || index >= count)
    throw Error("there is no spinor " + std::to_string(index) + "; this atom has " + std::to_string(count));
  if (!(r.array() >= 0).all()) throw Error("radii of radial functions must be numbers that are not negative");
}

}  // namespace prophet

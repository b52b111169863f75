#include "atoms/subshells/ionisation.hpp"

#include <cmath>

#include "core/common/constants.hpp"

namespace prophet {

double bebCrossSection(const BinaryEncounterShell& s, double energy) {
  if (!(s.binding > 0) || energy <= s.binding) return 0;
  const double t = energy / s.binding, u = s.kinetic / s.binding;
  const double scale = 4 * constants::kPi * s.electrons * std::pow(0.5 / s.binding, 2);  // R = 1/2 hartree
  return scale / (t + u + 1) * (0.5 * std::log(t) * (1 - 1 / (t * t)) + 1 - 1 / t - std::log(t) / (t + 1));
}

double relativisticBebCrossSection(const BinaryEncounterShell& s, double energy, double c) {
  if (!(s.binding > 0) || energy <= s.binding) return 0;
  const double t = energy / s.binding;
  const double kinetic = energy / (c * c), own = s.kinetic / (c * c), bound = s.binding / (c * c);
  const auto betaSquare = [](double x) { return x * (2 + x) / ((1 + x) * (1 + x)); };
  const double bt = betaSquare(kinetic), bu = betaSquare(own), bb = betaSquare(bound);
  const double half = 1 + kinetic / 2;
  const double scale = 4 * constants::kPi * std::pow(c, -4) * s.electrons / ((bt + bu + bb) * 2 * bound);
  // ln(bt/(1 - bt)) with 1 - bt = 1/(1 + t')^2.
  const double dipole = std::log(bt) + 2 * std::log1p(kinetic) - bt - std::log(2 * bound);
  return scale * (0.5 * dipole * (1 - 1 / (t * t)) + 1 - 1 / t -
                  std::log(t) / (t + 1) * (1 + 2 * kinetic) / (half * half) +
                  bound * bound / (half * half) * (t - 1) / 2);
}

}  // namespace prophet

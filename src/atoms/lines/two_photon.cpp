#include "atoms/lines/two_photon.hpp"

#include <cmath>

namespace prophet {
namespace {

/// What relativity multiplies the rate of one electron with.
double relativisticFactor(double charge, double speedOfLight) {
  const double square = std::pow(charge / speedOfLight, 2);
  return (1 + 3.9448 * square - 2.040 * square * square) / (1 + 4.6019 * square);
}

}  // namespace

double twoPhotonRate(int electrons, double charge, double speedOfLight) {
  if (electrons == 1) return 8.22943 * std::pow(charge, 6) * relativisticFactor(charge, speedOfLight);
  if (electrons != 2) return 0;
  const double seen = charge - 0.806389;
  return 16.458762 * std::pow(seen, 6) *
         (1.539 / std::pow(charge + 2.5, 2) + relativisticFactor(seen, speedOfLight));
}

}  // namespace prophet

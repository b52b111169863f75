#pragma once
#include <array>
#include <cmath>
#include <optional>

#include "atoms/atom/symmetry.hpp"
#include "core/common/host_device.hpp"

namespace prophet {

/// Exponential terms of a tabulated screening.
inline constexpr int kScreeningTerms = 14;

/// Repulsion by the other electrons as a spinor of one symmetry feels it,
/// V(r) = sum_k charge_k (1 - exp(-rate_k r))/r: hartree, r in bohr, rates in 1/bohr, charges in electrons.
struct Screening {
  std::array<double, kScreeningTerms> rates{}, charges{};
};

PROPHET_HD inline double screeningPotential(const double* rates, const double* charges, double r) {
  double sum = 0.0;
  for (int k = 0; k < kScreeningTerms; ++k) sum -= charges[k] * std::expm1(-rates[k] * r);
  return sum / r;
}

/// Repulsion of the charge of `electrons` - 1 electrons spread as Thomas and Fermi's around a nucleus of this
/// charge. Hartree, r in bohr; 0 for one electron. Screening function: Latter's fit, Phys. Rev. 99, 510
/// (1955).
PROPHET_HD inline double thomasFermiScreening(double nuclearCharge, double electrons, double r) {
  const double x = r * std::cbrt(nuclearCharge) / 0.88534;
  const double root = std::sqrt(x);
  const double phi = 1.0 / (1.0 + 0.02747 * root + 1.243 * x - 0.1486 * x * root + 0.2302 * x * x +
                            0.007298 * x * x * root + 0.006944 * x * x * x);
  return electrons > 1.0 ? (electrons - 1.0) * (1.0 - phi) / r : 0.0;
}

/// Rates of the tabulated terms of an element: a ladder from the valence electrons to twice the charge.
std::array<double, kScreeningTerms> screeningRates(int z);

/// The screening that the table has for this atom and symmetry: of the neutral atom's ground configuration,
/// and of an ion what its missing or added electrons change in that, in proportion. Empty where the table
/// does not fit: a nuclear charge off 1 .. 118, a symmetry that the neutral atom does not occupy, or an ion
/// so far from neutral that the Thomas-Fermi atom is as good a start.
std::optional<Screening> tabulatedScreening(double nuclearCharge, double electrons, const Symmetry& symmetry);

}  // namespace prophet

#include "atoms/scf/judge_scf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace prophet {
namespace {

/// Estimated rounding of an energy from integrals over primitives, hartree: near-dependent functions have
/// large coefficients of alternating sign, whose products with integrals cancel. Measured against the grid
/// for neon in even-tempered sets: right within a factor of two.
double roundingOverPrimitives(const Eigen::MatrixXd& coefficients, double repulsion) {
  if (coefficients.size() == 0) return 0.0;
  const double growth = coefficients.cwiseAbs().colwise().sum().maxCoeff();
  return std::numeric_limits<double>::epsilon() * static_cast<double>(coefficients.rows()) * growth * growth *
         std::abs(repulsion);
}

}  // namespace

void requirePositiveEnergy(const ScfResult& result, double c) {
  for (std::size_t a = 0; a < result.symmetries.size(); ++a) {
    const SymmetrySpinors& s = result.symmetries[a];
    for (Eigen::Index i = 0; i < s.energies.size(); ++i) {
      if (!isDived(s.energies(i), c)) continue;
      throw Error(fmt::format(
          "the energy of {} is {:.1f} hartree, below -2c^2: the nucleus is so strong that the spinor "
          "dives into the negative-energy continuum and is not bound any more; lower the nuclear "
          "charge",
          spinorLabel(Symmetry::fromIndex(static_cast<int>(a)),
                      s.places[static_cast<std::size_t>(i)].number + 1),
          s.energies(i)));
    }
  }
}

void remarkOnRounding(ScfResult& result) {
  constexpr double kWorthSaying = 1e-11;
  double rounding = 0.0;
  for (const SymmetrySpinors& s : result.symmetries) {
    rounding = std::max(
        rounding, roundingOverPrimitives(s.large, result.energy.value(EnergyPartId::ElectronRepulsion)));
  }
  if (rounding < kWorthSaying * std::abs(result.energy.total)) return;
  result.remarks.push_back(
      {"stored_integrals_rounding",
       fmt::format("the functions are so nearly dependent that stored integrals round the energy by about "
                   "{:.0e} hartree; use fock='grid', which does not",
                   rounding)});
}

}  // namespace prophet

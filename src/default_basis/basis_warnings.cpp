#include "default_basis/basis_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "default_basis/set_purpose.hpp"

namespace prophet {
namespace {

/// Share of its binding energy that an outermost spinor may be off by.
constexpr double kBindingShare = 0.01;

void warnOfSpinors(const Configuration& configuration, const ScfResult& scf,
                   const BasisErrorEstimate& estimate, std::vector<BasisWarning>& warnings) {
  for (std::size_t a = 0; a < estimate.symmetryErrors.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    if (s.energies.size() == 0) continue;
    Eigen::Index outer = 0;
    const double highest = s.energies.maxCoeff(&outer);
    const double binding = std::max(0.0, -highest) * s.occupations(outer);
    const double error = estimate.symmetryErrors[a];
    if (error <= std::max(kBindingShare * binding, estimate.resolution)) continue;
    const int place = configuration.occupationOf(static_cast<int>(a)).spinors[outer].number;
    warnings.push_back(
        {"outermost_spinor_not_represented",
         fmt::format(
             "the basis does not represent {}: its functions raise the energy by about {:.1e} hartree, "
             "and {:.1e} hartree bind it; add diffuse functions, or leave the choice of a basis to the "
             "program",
             spinorLabel(Symmetry::fromIndex(static_cast<int>(a)), place + 1), error, binding)});
  }
}

void warnOfError(double energy, const BasisErrorEstimate& estimate, std::vector<BasisWarning>& warnings) {
  const double error = estimate.total(), scale = std::abs(energy);
  if (error > std::max(5e-7 * scale, 5e-5)) {
    warnings.push_back(
        {"basis_poor", fmt::format("the basis is poor for this calculation: about {:.1e} hartree "
                                   "above the complete-basis limit",
                                   error)});
  }
  if (error < -std::max({5e-9 * scale, 1e-6, estimate.resolution})) {
    warnings.push_back(
        {"prolapse", fmt::format("the energy lies about {:.1e} hartree below the complete-basis limit: small "
                                 "components cannot follow the large ones (prolapse)",
                                 -error)});
  }
}

}  // namespace

std::vector<BasisWarning> basisWarnings(const LibraryEntry* named, const Nucleus& nucleus,
                                        const Configuration& configuration, double c, const ScfResult& scf,
                                        const BasisErrorEstimate* estimate) {
  std::vector<BasisWarning> warnings;
  if (named) {
    if (const auto mismatch = purposeMismatch(*named, nucleus, configuration, c))
      warnings.push_back({"basis_made_for_something_else", *mismatch});
  }
  if (estimate) {
    warnOfError(scf.energy.total, *estimate, warnings);
    warnOfSpinors(configuration, scf, *estimate, warnings);
  }
  return warnings;
}

}  // namespace prophet

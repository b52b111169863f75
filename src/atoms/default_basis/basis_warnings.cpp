#include "atoms/default_basis/basis_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/default_basis/set_purpose.hpp"

namespace prophet {
namespace {

/// Share of its binding energy that an outermost spinor may be off by.
constexpr double kBindingShare = 0.01;

/// At which end of the exponents most is missing: "tight functions are missing (exponents above 1.2e+06)".
std::string endOf(const MissingFunctions& missing, const SymmetryBasis& given) {
  constexpr double kMostOfIt = 0.5;
  const auto [least, most] = std::minmax_element(given.exponents.begin(), given.exponents.end());
  const double middle = std::sqrt(*least * *most);
  if (missing.tight > missing.diffuse) {
    return missing.tighter > kMostOfIt * missing.tight
               ? fmt::format("tight functions are missing (exponents above {:.2g})", *most)
               : fmt::format("tight functions are missing (among exponents above {:.2g})", middle);
  }
  return missing.moreDiffuse > kMostOfIt * missing.diffuse
             ? fmt::format("diffuse functions are missing (exponents below {:.2g})", *least)
             : fmt::format("diffuse functions are missing (among exponents below {:.2g})", middle);
}

void warnOfSpinors(const Configuration& configuration, const BasisSet& basis, const ScfResult& scf,
                   const BasisErrorEstimate& estimate, std::vector<BasisWarning>& warnings) {
  for (std::size_t a = 0; a < estimate.symmetryLacks.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    if (s.energies.size() == 0) continue;
    Eigen::Index outer = 0;
    const double highest = s.energies.maxCoeff(&outer);
    const double binding = std::max(0.0, -highest) * s.occupations(outer);
    const SymmetryLack& lack = estimate.symmetryLacks[a];
    if (lack.outermostError <= std::max(kBindingShare * binding, estimate.resolution)) continue;
    const int place = configuration.occupationOf(static_cast<int>(a)).spinors[outer].number;
    warnings.push_back(
        {"outermost_spinor_not_represented",
         fmt::format("the basis does not represent {}: it raises the energy of its electrons by about {:.1e} "
                     "of the {:.1e} hartree that bind them; {}; add some, or leave the choice of a basis to "
                     "the program",
                     spinorLabel(Symmetry::fromIndex(static_cast<int>(a)), place + 1), lack.outermostError,
                     binding, endOf(lack.outermost, basis.symmetries[a]))});
  }
}

/// Of the symmetry that lacks most.
void warnOfMissing(const BasisSet& basis, const BasisErrorEstimate& estimate,
                   std::vector<BasisWarning>& warnings) {
  const auto worst = std::max_element(estimate.symmetryErrors.begin(), estimate.symmetryErrors.end());
  const auto a = static_cast<std::size_t>(worst - estimate.symmetryErrors.begin());
  if (a >= estimate.symmetryLacks.size()) return;
  warnings.push_back(
      {"missing_functions",
       fmt::format("the basis lacks most in {}, {:.1e} hartree: {}", basis.symmetries[a].symmetry.label(),
                   *worst, endOf(estimate.symmetryLacks[a].all, basis.symmetries[a]))});
}

void warnOfError(double energy, const BasisSet& basis, const BasisErrorEstimate& estimate,
                 std::vector<BasisWarning>& warnings) {
  const double error = estimate.total(), scale = std::abs(energy);
  if (error > std::max(5e-7 * scale, 5e-5)) {
    warnings.push_back(
        {"basis_poor", fmt::format("the basis is poor for this calculation: about {:.1e} hartree "
                                   "above the complete-basis limit",
                                   error)});
    warnOfMissing(basis, estimate, warnings);
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
                                        const Configuration& configuration, double c, const BasisSet& basis,
                                        const ScfResult& scf, const BasisErrorEstimate* estimate) {
  std::vector<BasisWarning> warnings;
  if (named) {
    if (const auto mismatch = purposeMismatch(*named, nucleus, configuration, c))
      warnings.push_back({"basis_made_for_something_else", *mismatch});
  }
  if (estimate) {
    warnOfError(scf.energy.total, basis, *estimate, warnings);
    warnOfSpinors(configuration, basis, scf, *estimate, warnings);
  }
  return warnings;
}

}  // namespace prophet

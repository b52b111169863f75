#include "default_basis/default_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atom/elements.hpp"
#include "common/error.hpp"
#include "default_basis/coarse_field.hpp"
#include "default_basis/set_purpose.hpp"

namespace prophet {
namespace {

/// What the sets that are made here aim at, of the energy and in hartree; half of what is promised.
constexpr double kRelativeAim = 2e-9, kAbsoluteAim = 4e-8;

std::string fittedReason(const Configuration& configuration, const BasisSet& basis, const std::string& why) {
  return fmt::format("a set of {} functions made for {} ({})", basis.functions(), configuration.description,
                     why);
}

/// The potential of a shell has an edge, at which spinors are less smooth than Gaussians: closer ratios make
/// up for it (this power of the ratio; O2- in MgO: docs/madelung.md).
constexpr double kCloserInShell = 0.7;

BasisSet fittedBasis(const CoarseField& field, const Nucleus& nucleus, double c, const ChargedShell& shell) {
  const double aim = std::max(kRelativeAim * std::abs(field.energy), kAbsoluteAim);
  ExponentRule rule;
  rule.ratio = evenTemperedRatio(std::min(aim / std::abs(field.energy), 1e-8), nucleus.charge);
  if (shell.any()) rule.ratio = std::pow(rule.ratio, kCloserInShell);
  rule.tolerance = 0.1 * aim;
  BasisSet basis;
  for (const ExponentDemand& demand : field.demands)
    basis.symmetries.push_back({demand.symmetry, fittedExponents(demand, nucleus, c, rule)});
  return basis;
}

}  // namespace

DefaultBasis chooseBasis(const Nucleus& nucleus, const Configuration& configuration, double c,
                         const LibraryReader& library, const ChargedShell& shell) {
  if (!(configuration.electrons() > 0.0)) throw Error("there are no electrons to choose a basis for");
  DefaultBasis choice;
  std::string why = "the library has no set for this charge";
  if (const auto z = elementOfCharge(nucleus.charge)) {
    if (const auto entry = library(*z)) {
      std::optional<std::string> mismatch = purposeMismatch(*entry, nucleus, configuration, c);
      if (!mismatch && shell.any()) mismatch = "the library's sets are for free atoms";
      if (!mismatch) {
        choice.basis = makeBasis(*entry);
        choice.library = entry->library;
        choice.reason =
            fmt::format("{} from the library {}, made for this very case", symbolOf(*z), entry->library);
        const BasisProvenance& p = entry->provenance;
        if (p.energy && p.limit) {
          choice.knownError = *p.energy - *p.limit;
          choice.knownLimit = p.limit;
        }
        return choice;
      }
      why = *mismatch;
    }
  }
  CoarseField field = coarseField(nucleus, configuration, c, shell);
  choice.basis = fittedBasis(field, nucleus, c, shell);
  choice.reason = fittedReason(configuration, choice.basis, why);
  choice.basis.description = choice.reason;
  if (field.converged) choice.start = std::move(field.start);
  return choice;
}

}  // namespace prophet

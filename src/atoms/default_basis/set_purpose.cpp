#include "atoms/default_basis/set_purpose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/elements.hpp"

namespace prophet {
namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

bool sameOccupations(const Configuration& a, const Configuration& b) {
  const int count = a.occupiedSymmetries();
  if (count != b.occupiedSymmetries()) return false;
  for (int s = 0; s < count; ++s) {
    const std::vector<SpinorOccupation>&first = a.occupationOf(s).spinors,
          &second = b.occupationOf(s).spinors;
    if (first.size() != second.size()) return false;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i].number != second[i].number || std::abs(first[i].electrons - second[i].electrons) > 1e-9)
        return false;
    }
  }
  return a.openPairWeights.size() == b.openPairWeights.size() &&
         (a.openPairWeights - b.openPairWeights).cwiseAbs().sum() < 1e-9;
}

}  // namespace

std::optional<std::string> purposeMismatch(const LibraryEntry& entry, const Nucleus& nucleus,
                                           const Configuration& configuration, double c) {
  const Configuration made = parseConfiguration(entry.configuration);
  if (!near(made.electrons(), configuration.electrons(), 1e-9))
    return fmt::format("the set of {} is for the neutral atom", entry.library);
  if (!sameOccupations(made, configuration))
    return fmt::format("the set of {} is for {}", entry.library, entry.configuration);
  if (nucleus.model != entry.nuclearModel)
    return fmt::format("the set of {} is for a {} nucleus", entry.library, nameOf(entry.nuclearModel));
  NucleusRequest request;
  request.model = entry.nuclearModel;
  request.charge = entry.z;
  if (nucleus.model != NuclearModel::Point && !near(nucleus.rms, makeNucleus(request).rms, 1e-9))
    return fmt::format("the set of {} is for a nucleus of the default size", entry.library);
  if (entry.provenance.speedOfLight && !near(c, *entry.provenance.speedOfLight, 1e-12))
    return fmt::format("the set of {} is for another speed of light", entry.library);
  return std::nullopt;
}

}  // namespace prophet

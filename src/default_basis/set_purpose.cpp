#include "default_basis/set_purpose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atom/elements.hpp"

namespace prophet {
namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

bool sameOccupations(const Configuration& a, const Configuration& b) {
  const std::size_t count = std::max(a.symmetries.size(), b.symmetries.size());
  const auto pad = [count](Configuration c) {
    c.symmetries.resize(count);
    return c;
  };
  const Configuration first = pad(a), second = pad(b);
  for (std::size_t s = 0; s < count; ++s) {
    const int i = static_cast<int>(s), spinors = first.occupiedSpinors(i);
    if (second.occupiedSpinors(i) != spinors) return false;
    for (int k = 0; k < spinors; ++k) {
      if (std::abs(first.occupation(i, k) - second.occupation(i, k)) > 1e-9) return false;
    }
  }
  for (Eigen::Index i = 0; i < std::min(a.openPairWeights.rows(), b.openPairWeights.rows()); ++i) {
    for (Eigen::Index k = 0; k < std::min(a.openPairWeights.cols(), b.openPairWeights.cols()); ++k) {
      if (std::abs(a.openPairWeights(i, k) - b.openPairWeights(i, k)) > 1e-9) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<int> wholeElement(const Nucleus& nucleus) {
  const double z = nucleus.charge;
  if (z != std::floor(z) || z < 1 || z > kLastElement) return std::nullopt;
  return static_cast<int>(z);
}

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

#include "bases/optimise/correlating_maker.hpp"

#include <fmt/format.h>

#include <optional>

#include "atoms/atom/elements.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {
namespace {

/// What the provenance of a set with functions for correlation says of them, after that of the set.
constexpr const char* kFunctions = "; functions for correlation";
constexpr const char* kOptimised = "; functions for correlation of least energy of second order";
constexpr const char* kByRule = "; functions for correlation by the valence's overlap";

/// The source of a set without what an earlier search for such functions said.
std::string sourceOfSet(const std::string& source) { return source.substr(0, source.find(kFunctions)); }

/// Energy of second order in the field of all functions, as audits compute it: the search keeps the field of
/// the set without those that it looks for, which changes where they mend the valence spinors too.
double energyOfWholeSet(const SetRequest& request, const LibraryEntry& set) {
  return secondOrderIn(request.problem, withGroups(makeBasis(set), set.groups), valenceOf(request.z));
}

}  // namespace

MadeSet CorrelatingMaker::make(const SetRequest& request) const {
  const Stopwatch watch;
  auto entry = readLibraryEntry(request.z, collection_, basisSets_);
  if (!entry) throw Error(fmt::format("{} has no set for {}", collection_, symbolOf(request.z)));
  const auto counts = counts_.find(request.z);
  if (counts == counts_.end())
    throw Error(fmt::format("{} has no numbers of functions for correlation", symbolOf(request.z)));
  MadeSet made;
  made.set = *entry;
  std::string& source = made.set.provenance.source;
  std::optional<CorrelatingSearchResult> search;
  if (hasValencePairs(request.z))
    search = searchCorrelating(request.z, request.problem, makeBasis(*entry), counts->second);
  // Without an energy of second order, or with one that means nothing, the functions stay, and what is said
  // of them.
  if (!search || search->smallestGap <= 0) {
    if (source.find(kFunctions) == std::string::npos) source += kByRule;
    if (search && request.log)
      request.log(
          fmt::format("smallest excitation {:.3f} hartree: second order means nothing, the functions stay",
                      search->smallestGap));
  } else {
    const CorrelatingSearchResult& found = *search;
    made.set.groups = found.groups;
    source = fmt::format("{}{}, {:.8f} hartree", sourceOfSet(source), kOptimised,
                         energyOfWholeSet(request, made.set));
    if (const auto limit = limits_.find(request.z); limit != limits_.end())
      source += fmt::format(" of {:.8f} at the limit", limit->second.energy);
    if (request.log)
      request.log(
          fmt::format("{} energies of second order, {:.8f} to {:.8f} hartree, smallest excitation "
                      "{:.3f} hartree",
                      found.evaluations, found.startEnergy, found.energy, found.smallestGap));
  }
  made.shortfall = whyNotFinished(made.set);
  made.seconds = watch.seconds();
  return made;
}

std::string CorrelatingMaker::whyNotFinished(const LibraryEntry& entry) const {
  if (entry.provenance.source.find(kFunctions) == std::string::npos)
    return "its functions for correlation are not optimised for second order";
  return entry.groups.empty() ? "it has no functions for correlation" : "";
}

}  // namespace prophet

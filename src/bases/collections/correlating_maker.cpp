#include "bases/collections/correlating_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "bases/optimise/core_density_search.hpp"
#include "bases/optimise/diffuse_search.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {
namespace {

/// In the provenance of a finished set, the first however its functions were found; with the last the valence
/// has no energy of second order, or one without meaning.
constexpr const char* kFunctions = "functions for correlation";
constexpr const char* kOptimised = "functions for correlation of least energy of second order";
constexpr const char* kByRule = "functions for correlation by the valence's overlap";

/// Of the positive ion's energy beside the atom's: the first with which the atom's is what it should be, or
/// the last.
constexpr double kIonWeights[] = {1.0, 0.5, 0.25, 0.1, 0.0};

/// The group that a search for a group on request makes.
const char* groupOf(CorrelatingPart part) {
  return part == CorrelatingPart::CoreValence ? kCoreGroup
         : part == CorrelatingPart::Diffuse   ? kDiffuseGroup
                                              : kCoreDensityGroup;
}

/// The source of a set up to what an earlier search said that starts with any of these.
std::string sourceUpTo(const std::string& source, std::initializer_list<const char*> statements) {
  std::size_t end = source.size();
  for (const char* statement : statements) end = std::min(end, source.find(fmt::format("; {}", statement)));
  return source.substr(0, end);
}

void logSearch(const SetRequest& request, const CorrelatingSearchResult& found) {
  if (request.log)
    request.log(
        found.smallestGap > 0
            ? fmt::format(
                  "{} energies of second order, {:.8f} to {:.8f} hartree, smallest excitation {:.3f} hartree",
                  found.evaluations, found.startEnergy, found.energy, found.smallestGap)
            : fmt::format("smallest excitation {:.3f} hartree: second order means nothing",
                          found.smallestGap));
}

/// Energy of second order in the field of all functions, as audits compute it: the search keeps the field of
/// the set without those that it looks for, which changes where they mend the valence spinors too.
double energyOfWholeSet(const SetRequest& request, const LibraryEntry& set, const CorrelatedShells& shells) {
  return secondOrderIn(request.problem, withGroups(makeBasis(set), set.groups), shells);
}

/// " of ... at the limit", where it is known.
std::string ofLimit(const std::map<int, SecondOrderLimit>& limits, int z) {
  const auto limit = limits.find(z);
  return limit == limits.end() ? "" : fmt::format(" of {:.8f} at the limit", limit->second.energy);
}

}  // namespace

std::string CorrelatingMaker::makeCore(const SetRequest& request, const std::vector<FunctionCount>& counts,
                                       LibraryEntry& set) const {
  if (!hasOuterCore(request.z)) return fmt::format("{}: none, there is no core", kCoreStatement);
  const std::vector<FunctionGroup> valence = valenceGroups(set.groups);
  const BasisSet basis = withGroups(makeBasis(set), valence);
  if (counts.empty())
    return fmt::format("{}: none, energy of second order of valence and outer core {:.8f} hartree{}",
                       kCoreStatement, secondOrderIn(request.problem, basis, coreValenceOf(request.z)),
                       ofLimit(coreLimits_, request.z));
  const CorrelatingSearchResult found = searchCore(request.z, request.problem, basis, counts);
  logSearch(request, found);
  set.groups.insert(set.groups.end(), found.groups.begin(), found.groups.end());
  if (found.smallestGap <= 0)
    return fmt::format("{} by the overlap of valence and outer core", kCoreStatement);
  return fmt::format("{} of least energy of second order of valence and outer core, {:.8f} hartree{}",
                     kCoreStatement,
                     secondOrderIn(request.problem, withGroups(makeBasis(set), coreValenceGroups(set.groups)),
                                   coreValenceOf(request.z)),
                     ofLimit(coreLimits_, request.z));
}

std::string CorrelatingMaker::makeDiffuse(const SetRequest& request, const std::vector<FunctionCount>& counts,
                                          LibraryEntry& set) const {
  const BasisSet valence = withGroups(makeBasis(set), valenceGroups(set.groups));
  const DiffuseSearchResult found = searchDiffuse(request.z, request.problem, valence, counts);
  if (request.log)
    request.log(fmt::format("{} {}", found.evaluations,
                            found.affinity ? "electron affinities" : "responses: no negative ion is bound"));
  set.groups.insert(set.groups.end(), found.groups.begin(), found.groups.end());
  if (!found.affinity)
    return fmt::format("{} of largest response of {} to fields, as no negative ion is bound",
                       kDiffuseStatement, found.shell);
  const NegativeIonEnergy& ion = found.affinity->ion;
  return fmt::format(
      "{} of largest electron affinity with second order, {:.8f} hartree, negative ion {}: Hartree-Fock "
      "{:.8f}, second order {:.8f} hartree",
      kDiffuseStatement, found.affinity->value(), ion.configuration, ion.field, ion.secondOrder);
}

std::string CorrelatingMaker::makeCoreDensity(const SetRequest& request, LibraryEntry& set) const {
  const BasisSet valence = withGroups(makeBasis(set), valenceGroups(set.groups));
  const CoreDensityResult found = searchCoreDensity(request.problem, valence);
  if (request.log) request.log(fmt::format("{} fields", found.evaluations));
  set.groups.insert(set.groups.end(), found.groups.begin(), found.groups.end());
  std::string errors;
  for (const ErrorAtNucleus& error : found.errors)
    errors += fmt::format("{} {} {:.1e} to {:.1e}", errors.empty() ? "" : ",", letterOfL(error.l),
                          error.without, error.with);
  return fmt::format("{} for integrals at the nucleus, largest error without and with them:{}",
                     kCoreDensityStatement, errors);
}

std::string CorrelatingMaker::makeValence(const SetRequest& request, const std::vector<FunctionCount>& counts,
                                          LibraryEntry& set) const {
  set.groups = valenceGroups(std::move(set.groups));
  std::optional<CorrelatingSearchResult> search;
  double energy = 0;
  if (hasValencePairs(request.z)) {
    const BasisSet basis = makeBasis(set);
    const auto least = energies_.find(request.z);
    const auto isEnough = [&](double weight, bool byResponse) {
      CorrelatingSearchOptions options;
      options.ionWeight = weight;
      options.byResponse = byResponse;
      search = searchCorrelating(request.z, request.problem, basis, counts, options);
      logSearch(request, *search);
      if (search->smallestGap <= 0) return true;
      set.groups = search->groups;
      energy = energyOfWholeSet(request, set, valenceOf(request.z));
      return least == energies_.end() || energy <= least->second;
    };
    bool enough = false;
    for (const bool byResponse : {true, false}) {
      for (const double weight : kIonWeights) {
        enough = isEnough(weight, byResponse);
        if (enough || search->ionWeight == 0) break;
      }
      if (enough || !search->byResponse) break;
    }
  }
  // Without an energy of second order, or with one that means nothing, the functions stay, and what is said
  // of them.
  if (!search || search->smallestGap <= 0) {
    const std::string& source = set.provenance.source;
    const std::size_t said = source.find(kFunctions);
    return said == std::string::npos
               ? kByRule
               : sourceUpTo(source.substr(said), {kCoreStatement, kDiffuseStatement, kCoreDensityStatement});
  }
  const std::string ions =
      search->ionWeight > 0 ? fmt::format(", its positive ion's weighted {:g}", search->ionWeight) : "";
  return fmt::format("{}, {:.8f} hartree{}{}{}", kOptimised, energy, ofLimit(limits_, request.z), ions,
                     search->byResponse ? ", polarising functions of largest response" : "");
}

MadeSet CorrelatingMaker::make(const SetRequest& request) const {
  const Stopwatch watch;
  auto entry = readLibraryEntry(request.z, collection_, basisSets_);
  if (!entry) throw Error(fmt::format("{} has no set for {}", collection_, symbolOf(request.z)));
  const auto counts = counts_.find(request.z);
  if (counts == counts_.end() && part_ != CorrelatingPart::CoreDensity)
    throw Error(fmt::format("{} has no numbers of functions for correlation", symbolOf(request.z)));
  MadeSet made;
  made.set = *entry;
  std::string& source = made.set.provenance.source;
  if (part_ == CorrelatingPart::Valence) {
    const std::string said = makeValence(request, counts->second, made.set);
    source = fmt::format(
        "{}; {}", sourceUpTo(source, {kFunctions, kCoreStatement, kDiffuseStatement, kCoreDensityStatement}),
        said);
  } else {
    made.set = withoutGroup(std::move(made.set), groupOf(part_));
    const std::string said = part_ == CorrelatingPart::CoreDensity ? makeCoreDensity(request, made.set)
                             : part_ == CorrelatingPart::CoreValence
                                 ? makeCore(request, counts->second, made.set)
                                 : makeDiffuse(request, counts->second, made.set);
    source += "; " + said;
  }
  made.shortfall = whyNotFinished(made.set);
  made.seconds = watch.seconds();
  return made;
}

/// Why the set's functions are not those of the collection, with groups of the wanted sizes.
std::string CorrelatingMaker::otherRequest(const LibraryEntry& entry) const {
  const auto from = readLibraryEntry(entry.z, collection_, basisSets_);
  if (!from || from->exponents != entry.exponents)
    return fmt::format("the atom's functions are not those of {}", collection_);
  if (part_ == CorrelatingPart::CoreDensity) return "";
  const bool stays = part_ == CorrelatingPart::Valence
                         ? entry.provenance.source.find(kOptimised) == std::string::npos
                         : part_ == CorrelatingPart::CoreValence && !hasOuterCore(entry.z);
  if (stays) return "";
  std::map<int, int> wanted, there;
  const auto counts = counts_.find(entry.z);
  if (counts != counts_.end())
    for (const FunctionCount& count : counts->second) wanted[count.l] += count.count;
  const auto groups = part_ == CorrelatingPart::Valence ? valenceGroups(entry.groups) : entry.groups;
  for (const FunctionGroup& group : groups) {
    const bool counted = part_ == CorrelatingPart::Valence || group.name == groupOf(part_);
    if (counted) there[group.l] += static_cast<int>(group.exponents.size());
  }
  return wanted == there ? "" : "its numbers of functions are not those of the tier";
}

std::string CorrelatingMaker::whyNotFinished(const LibraryEntry& entry) const {
  if (const std::string other = otherRequest(entry); !other.empty()) return other;
  const auto says = [&](const char* statement) {
    return entry.provenance.source.find(statement) != std::string::npos;
  };
  if (part_ == CorrelatingPart::CoreValence)
    return says(kCoreStatement) ? "" : "its functions for the outer core are not optimised for second order";
  if (part_ == CorrelatingPart::CoreDensity)
    return says(kCoreDensityStatement) ? "" : "it has no functions for the density at the nucleus";
  if (part_ == CorrelatingPart::Diffuse) return says(kDiffuseStatement) ? "" : "it has no diffuse functions";
  if (!says(kFunctions)) return "its functions for correlation are not optimised for second order";
  return entry.groups.empty() ? "it has no functions for correlation" : "";
}

}  // namespace prophet

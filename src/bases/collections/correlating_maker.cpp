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

/// They weigh the positive ion's energy beside the atom's: the first is taken with which the atom's energy is
/// what it should be, or the last.
constexpr double kIonWeights[] = {1.0, 0.5, 0.25, 0.1, 0.0};

/// What is known of a part.
struct Kind {
  CorrelatingPart part;
  const char* name;
  /// Null: numbers follow from errors.
  std::filesystem::path (*counts)(const std::filesystem::path&);
  const char* group;      ///< on request; null: those of the valence
  const char* statement;  ///< of the source of a finished set
  const char* lack;       ///< what is wrong with a set whose source has no such statement
};

constexpr Kind kKinds[] = {
    {CorrelatingPart::Valence, "correlating", correlatingCountsFile, nullptr, kFunctions,
     "its functions for correlation are not optimised for second order"},
    {CorrelatingPart::CoreValence, "core-valence", coreCountsFile, kCoreGroup, kCoreStatement,
     "its functions for the outer core are not optimised for second order"},
    {CorrelatingPart::Diffuse, "diffuse", diffuseCountsFile, kDiffuseGroup, kDiffuseStatement,
     "it has no diffuse functions"},
    {CorrelatingPart::CoreDensity, "core-density", nullptr, kCoreDensityGroup, kCoreDensityStatement,
     "it has no functions for the density at the nucleus"}};

const Kind& kindOf(CorrelatingPart part) { return *std::ranges::find(kKinds, part, &Kind::part); }

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

Names<CorrelatingPart> correlatingParts() {
  Names<CorrelatingPart> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name, kind.part);
  return names;
}

std::filesystem::path countsFileOf(CorrelatingPart part, const std::filesystem::path& basisSets) {
  const auto counts = kindOf(part).counts;
  return counts ? counts(basisSets) : std::filesystem::path();
}

std::string CorrelatingMaker::makeCore(const SetRequest& request, const Counts& counts,
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

std::string CorrelatingMaker::makeDiffuse(const SetRequest& request, const Counts& counts,
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

std::string CorrelatingMaker::makeValence(const SetRequest& request, const Counts& counts,
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

void CorrelatingMaker::addTo(LibraryEntry& set, const SetRequest& request) const {
  const auto counts = counts_.find(request.z);
  const Kind& kind = kindOf(part_);
  if (counts == counts_.end() && kind.counts)
    throw Error(fmt::format("{} has no numbers of functions for correlation", symbolOf(request.z)));
  if (kind.group) set = withoutGroup(std::move(set), kind.group);
  const std::string said = part_ == CorrelatingPart::CoreDensity ? makeCoreDensity(request, set)
                           : part_ == CorrelatingPart::Valence   ? makeValence(request, counts->second, set)
                           : part_ == CorrelatingPart::Diffuse   ? makeDiffuse(request, counts->second, set)
                                                                 : makeCore(request, counts->second, set);
  std::string& source = set.provenance.source;
  if (!kind.group)
    source = sourceUpTo(source, {kFunctions, kCoreStatement, kDiffuseStatement, kCoreDensityStatement});
  source += "; " + said;
}

MadeSet CorrelatingMaker::make(const SetRequest& request) const {
  const Stopwatch watch;
  auto entry = readLibraryEntry(request.z, collection_, basisSets_);
  if (!entry) throw Error(fmt::format("{} has no set for {}", collection_, symbolOf(request.z)));
  MadeSet made;
  made.set = std::move(*entry);
  addTo(made.set, request);
  made.shortfall = whyNotFinished(made.set);
  made.seconds = watch.seconds();
  return made;
}

/// Why the set's functions are not those of the collection, with groups of the wanted sizes.
std::string CorrelatingMaker::otherRequest(const LibraryEntry& entry) const {
  if (!collection_.empty()) {
    const auto from = readLibraryEntry(entry.z, collection_, basisSets_);
    if (!from || from->exponents != entry.exponents)
      return fmt::format("the atom's functions are not those of {}", collection_);
  }
  const Kind& kind = kindOf(part_);
  if (!kind.counts) return "";
  const bool stays = part_ == CorrelatingPart::Valence
                         ? entry.provenance.source.find(kOptimised) == std::string::npos
                         : part_ == CorrelatingPart::CoreValence && !hasOuterCore(entry.z);
  if (stays) return "";
  std::map<int, int> wanted, there;
  const auto counts = counts_.find(entry.z);
  if (counts != counts_.end())
    for (const FunctionCount& count : counts->second) wanted[count.l] += count.count;
  for (const FunctionGroup& group : kind.group ? entry.groups : valenceGroups(entry.groups))
    if (!kind.group || group.name == kind.group) there[group.l] += static_cast<int>(group.exponents.size());
  return wanted == there ? "" : "its numbers of functions are not those of the tier";
}

std::string CorrelatingMaker::whyNotFinished(const LibraryEntry& entry) const {
  if (const std::string other = otherRequest(entry); !other.empty()) return other;
  const Kind& kind = kindOf(part_);
  if (entry.provenance.source.find(kind.statement) == std::string::npos) return kind.lack;
  return entry.groups.empty() ? "it has no functions for correlation" : "";
}

MadeSet WholeTierMaker::make(const SetRequest& request) const {
  const Stopwatch watch;
  MadeSet made = sets_->make(request);
  if (!made.shortfall.empty()) return made;
  for (const CorrelatingMaker& part : parts_) part.addTo(made.set, request);
  made.shortfall = whyNotFinished(made.set);
  made.seconds = watch.seconds();
  return made;
}

std::string WholeTierMaker::whyNotFinished(const LibraryEntry& entry) const {
  std::string why = sets_->whyNotFinished(entry);
  for (const CorrelatingMaker& part : parts_)
    if (why.empty()) why = part.whyNotFinished(entry);
  return why;
}

}  // namespace prophet

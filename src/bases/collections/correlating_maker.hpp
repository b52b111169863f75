#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bases/collections/collection.hpp"
#include "bases/collections/second_order_limits.hpp"
#include "bases/optimise/correlating_search.hpp"
#include "core/common/names.hpp"

namespace prophet {

/// Which functions for molecules are searched for.
enum class CorrelatingPart {
  Valence,      ///< all (searchCorrelating), without the groups on request, which depend on them
  CoreValence,  ///< the group "core" (searchCore)
  Diffuse,      ///< the group "diffuse" (searchDiffuse)
  CoreDensity   ///< the group "core-density" (searchCoreDensity), whose numbers follow from its errors
};

/// As the operation that makes tiers calls them: "correlating", "core-valence", ...
Names<CorrelatingPart> correlatingParts();
/// The table of the program with their numbers of functions; empty for a part whose numbers follow.
std::filesystem::path countsFileOf(CorrelatingPart part, const std::filesystem::path& basisSets);

/// The sets of a collection with functions for correlation that are optimised for energies of second order;
/// all others stay as they are.
class CorrelatingMaker : public SetMaker {
 public:
  using Counts = std::vector<FunctionCount>;
  /// `collection`: whose sets are taken; empty: of any. `counts`: by charge. `energies`: of second order of
  /// the valence that sets have at least if they can, hartree, by charge.
  CorrelatingMaker(std::string collection, std::filesystem::path basisSets, std::map<int, Counts> counts,
                   CorrelatingPart part = CorrelatingPart::Valence, std::map<int, double> energies = {})
      : collection_(std::move(collection)),
        basisSets_(std::move(basisSets)),
        counts_(std::move(counts)),
        part_(part),
        energies_(std::move(energies)),
        limits_(readSecondOrderLimits(basisSets_)),
        coreLimits_(readCoreValenceLimits(basisSets_)) {}
  MadeSet make(const SetRequest& request) const override;
  std::string whyNotFinished(const LibraryEntry& entry) const override;
  /// Searches for the part's functions in this set.
  void addTo(LibraryEntry& set, const SetRequest& request) const;

 private:
  /// Change the set's groups; what its source says of them.
  std::string makeValence(const SetRequest& request, const Counts& counts, LibraryEntry& set) const;
  std::string makeCore(const SetRequest& request, const Counts& counts, LibraryEntry& set) const;
  std::string makeDiffuse(const SetRequest& request, const Counts& counts, LibraryEntry& set) const;
  std::string makeCoreDensity(const SetRequest& request, LibraryEntry& set) const;

  std::string otherRequest(const LibraryEntry& entry) const;

  std::string collection_;
  std::filesystem::path basisSets_;
  std::map<int, Counts> counts_;
  CorrelatingPart part_;
  std::map<int, double> energies_;
  std::map<int, SecondOrderLimit> limits_, coreLimits_;
};

/// The sets of another maker, and functions of all parts for them, one element after the other: no element
/// waits for a part of another one.
class WholeTierMaker : public SetMaker {
 public:
  WholeTierMaker(std::unique_ptr<SetMaker> sets, std::vector<CorrelatingMaker> parts)
      : sets_(std::move(sets)), parts_(std::move(parts)) {}
  MadeSet make(const SetRequest& request) const override;
  std::string whyNotFinished(const LibraryEntry& entry) const override;

 private:
  std::unique_ptr<SetMaker> sets_;
  std::vector<CorrelatingMaker> parts_;
};

}  // namespace prophet

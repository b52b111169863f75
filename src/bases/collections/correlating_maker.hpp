#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bases/collections/collection.hpp"
#include "bases/collections/second_order_limits.hpp"
#include "bases/optimise/correlating_search.hpp"

namespace prophet {

/// Which functions for molecules are searched for.
enum class CorrelatingPart {
  Valence,      ///< all (searchCorrelating), without the groups on request, which depend on them
  CoreValence,  ///< the group "core" (searchCore)
  Diffuse,      ///< the group "diffuse" (searchDiffuse)
  CoreDensity   ///< the group "core-density" (searchCoreDensity), whose numbers follow from its errors
};

/// The sets of a collection with functions for correlation that are optimised for energies of second order;
/// all others stay as they are.
class CorrelatingMaker : public SetMaker {
 public:
  /// `collection`: whose sets are taken. `counts`: by charge. `energies`: of second order of the valence that
  /// sets have at least if they can, hartree, by charge.
  CorrelatingMaker(std::string collection, std::filesystem::path basisSets,
                   std::map<int, std::vector<FunctionCount>> counts,
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

 private:
  /// Change the set's groups; what its source says of them.
  std::string makeValence(const SetRequest& request, const std::vector<FunctionCount>& counts,
                          LibraryEntry& set) const;
  std::string makeCore(const SetRequest& request, const std::vector<FunctionCount>& counts,
                       LibraryEntry& set) const;
  std::string makeDiffuse(const SetRequest& request, const std::vector<FunctionCount>& counts,
                          LibraryEntry& set) const;

  std::string makeCoreDensity(const SetRequest& request, LibraryEntry& set) const;

  std::string otherRequest(const LibraryEntry& entry) const;

  std::string collection_;
  std::filesystem::path basisSets_;
  std::map<int, std::vector<FunctionCount>> counts_;
  CorrelatingPart part_;
  std::map<int, double> energies_;
  std::map<int, SecondOrderLimit> limits_, coreLimits_;
};

}  // namespace prophet

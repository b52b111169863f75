#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bases/optimise/collection.hpp"
#include "bases/optimise/correlating_search.hpp"
#include "bases/optimise/second_order_limits.hpp"

namespace prophet {

/// The sets of a collection with functions for correlation that are optimised for energies of second order
/// (searchCorrelating); their lists for the neutral atom's energy stay as they are.
class CorrelatingMaker : public SetMaker {
 public:
  /// `collection`: whose sets are taken. `counts`: by charge.
  CorrelatingMaker(std::string collection, std::filesystem::path basisSets,
                   std::map<int, std::vector<FunctionCount>> counts)
      : collection_(std::move(collection)),
        basisSets_(std::move(basisSets)),
        counts_(std::move(counts)),
        limits_(readSecondOrderLimits(basisSets_)) {}
  MadeSet make(const SetRequest& request) const override;
  std::string whyNotFinished(const LibraryEntry& entry) const override;

 private:
  std::string collection_;
  std::filesystem::path basisSets_;
  std::map<int, std::vector<FunctionCount>> counts_;
  std::map<int, SecondOrderLimit> limits_;
};

}  // namespace prophet

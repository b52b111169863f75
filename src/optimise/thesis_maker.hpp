#pragma once
#include <map>

#include "optimise/set_maker.hpp"
#include "optimise/thesis_chain.hpp"

namespace prophet {

/// The smallest sets with one pool of exponents within a threshold of the numerical limit: runThesisChain for
/// each element.
class ThesisMaker : public SetMaker {
 public:
  /// As ChainMaker's.
  ThesisMaker(ThesisChainOptions options, EnergyService& service, std::map<int, double> limits = {},
              std::string limitsFrom = {});
  MadeSet make(const SetRequest& request) const override;
  std::string whyNotFinished(const LibraryEntry& entry) const override;

 private:
  ThesisChainOptions options_;
  EnergyService& service_;
  std::map<int, double> limits_;
  std::string limitsFrom_;
};

}  // namespace prophet

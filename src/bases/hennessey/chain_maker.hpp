#pragma once
#include <functional>
#include <map>

#include "bases/hennessey/thesis_chain.hpp"
#include "bases/optimise/chain.hpp"
#include "bases/optimise/collection.hpp"

namespace prophet {

/// The smallest well-tempered sets within a threshold of the numerical limit, by a chain for each element.
class ChainMaker : public SetMaker {
 public:
  /// A ladder for each symmetry: runChain. `options`: state file and resumption are set for each element.
  /// `limits`: numerical energies by charge, where known (the others are computed), and where they are from.
  ChainMaker(ChainOptions options, EnergyService& service, std::map<int, double> limits = {},
             std::string limitsFrom = {});
  /// One pool of exponents: runThesisChain; the same arguments.
  ChainMaker(ThesisChainOptions options, EnergyService& service, std::map<int, double> limits = {},
             std::string limitsFrom = {});
  MadeSet make(const SetRequest& request) const override;
  std::string whyNotFinished(const LibraryEntry& entry) const override;

 private:
  double threshold_;
  std::string source_;  ///< how the sets are found, as their files state it
  std::function<ChainResult(const ChainTask& task, const SetRequest& request)> run_;
  std::map<int, double> limits_;
  std::string limitsFrom_;
};

}  // namespace prophet

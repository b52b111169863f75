#pragma once
#include <map>

#include "optimise/chain.hpp"
#include "optimise/set_maker.hpp"

namespace prophet {

/// The smallest well-tempered sets within a threshold of the numerical limit: runChain for each element.
class ChainMaker : public SetMaker {
 public:
  /// `options`: state file and resumption are set for each element. `limits`: numerical energies by charge,
  /// where known (the others are computed), and where they are from.
  ChainMaker(ChainOptions options, EnergyService& service, std::map<int, double> limits = {},
             std::string limitsFrom = {});
  MadeSet make(const SetRequest& request) const override;
  std::string whyNotFinished(const LibraryEntry& entry) const override;

 private:
  ChainOptions options_;
  EnergyService& service_;
  std::map<int, double> limits_;
  std::string limitsFrom_;
};

/// The set of a finished chain, with what its file says of it.
MadeSet madeSet(const ChainResult& result, double threshold, const std::string& source);
/// Why a file's set is not one within the threshold; empty where it is.
std::string whyNotWithin(double threshold, const LibraryEntry& entry);

}  // namespace prophet

#pragma once
#include <functional>
#include <map>
#include <optional>

#include "bases/collections/chain.hpp"
#include "bases/collections/collection.hpp"

namespace prophet {

struct ThesisChainOptions {
  double threshold = 5e-9;                ///< largest (energy - limit)/|limit| of the final set
  std::optional<WellTemperedSpec> start;  ///< the large set to begin with; else sharedLadderSpec
  double referenceBeta = 1.6;             ///< of sharedLadderSpec
  MinimiserOptions minimiser{MinimiserMethod::Newuoa, 0.1, 1e-3, 150, {}};
  int probes = 4;         ///< sizes tried at once
  std::string stateFile;  ///< what is finished, for `resume`; empty: none
  std::string bestFile;   ///< the smallest set so far as an input block; empty: none
  bool resume = false;
};

/// The smallest set of an atom within the threshold as in Hennessey (2018), section 2.1: one pool of
/// exponents for all symmetries (or what the start has), both symmetries of one l have the same functions.
/// From a large set functions are dropped at the tight end of f, d, p and s, then at the diffuse end of f, d
/// and p (a higher first index in the pool), each step as many as its share of the threshold allows, all
/// parameters optimised again at every size; at last single functions at any of these ends while the
/// threshold holds.
///
/// The error grows with every function dropped, so the number of a step is found by dividing the range where
/// it must lie into probes + 1 parts, whose sizes are optimised all at once: with several probes the energies
/// of several searches are under way in `service`. The path depends on the number of probes, not on the
/// service. Energies below the limit (prolapse) do not count as good. Restartable: every finished
/// optimisation is a line of the state file. Symmetries above the last occupied one are left out.
/// Throws Error if the numerical limit does not converge.
ChainResult runThesisChain(const ChainTask& task, const ThesisChainOptions& options, EnergyService& service,
                           const ChainLog& log = {});

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

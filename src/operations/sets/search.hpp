#pragma once
#include <memory>
#include <string>

#include "bases/collections/chain.hpp"
#include "bases/optimise/exponent_search.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// What a search by gradients (jobtype='bsopt' with method='lbfgs' or 'slsqp') varies, in one of two forms.
struct SearchSpace {
  std::unique_ptr<LadderVariables> ladders;
  std::unique_ptr<ListVariables> lists;
  const BasisVariables& variables() const {
    if (ladders) return *ladders;
    return *lists;
  }
  /// The exponents that a search found; symmetries without electrons keep the functions of `given`.
  BasisSet found(const ExponentSearchResult& result, const BasisSet& given) const;
};

/// Ladders, or every exponent (free='exponents'), as the job says.
SearchSpace searchSpaceOf(const ResolvedJob& job);

/// Options of the job. Throws Error where the prolapse is to be bounded and cannot be measured.
ExponentSearchOptions searchOptionsOf(const ResolvedJob& job);

/// Puts what a search found into its record: the ladders or, where there are none, the exponents of `basis`.
void keepSet(const ResolvedJob& job, const WellTemperedSpec* ladders, const BasisSet& basis, Record& record);

/// Why the search ended: "converged", ...
std::string stoppedText(const ExponentSearchResult& result, const ExponentSearchOptions& options);

/// How the search of a job of type 'chain' runs, and where it keeps what is finished.
struct ChainRun {
  int threads = 1;
  std::string stateFile{};  ///< for `resume`; empty: none
  std::string bestFile{};   ///< method='thesis': the smallest set so far as an input block; empty: none
  bool resume = false;
  Checkpoint checkpoint{};
};

/// The smallest set of the job's atom, by the method that it names. Throws as runChain.
ChainResult searchChain(const ResolvedJob& job, const ChainRun& run, EnergyService& service,
                        const ChainLog& log);

}  // namespace prophet

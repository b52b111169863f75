#pragma once
#include <string>

#include "bases/collections/chain.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

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

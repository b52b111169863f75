#include "optimise/thesis_maker.hpp"

#include <fmt/format.h>

#include "optimise/chain_maker.hpp"

namespace prophet {

ThesisMaker::ThesisMaker(ThesisChainOptions options, EnergyService& service, std::map<int, double> limits,
                         std::string limitsFrom)
    : options_(std::move(options)),
      service_(service),
      limits_(std::move(limits)),
      limitsFrom_(std::move(limitsFrom)) {}

MadeSet ThesisMaker::make(const SetRequest& request) const {
  ChainTask task;
  task.problem = request.problem;
  std::string source = fmt::format("chain, method thesis, threshold {}", options_.threshold);
  if (const auto at = limits_.find(request.z); at != limits_.end()) {
    task.limit = at->second;
    if (!limitsFrom_.empty()) source += ", limit from " + limitsFrom_;
  }
  ThesisChainOptions options = options_;
  options.stateFile = request.stateFile;
  options.resume = request.resume;
  return madeSet(runThesisChain(task, options, service_, request.log), options.threshold, source);
}

std::string ThesisMaker::whyNotFinished(const LibraryEntry& entry) const {
  return whyNotWithin(options_.threshold, entry);
}

}  // namespace prophet

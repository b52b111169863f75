#include "optimise/chain_maker.hpp"

#include <fmt/format.h>

namespace prophet {

ChainMaker::ChainMaker(ChainOptions options, EnergyService& service, std::map<int, double> limits,
                       std::string limitsFrom)
    : options_(std::move(options)),
      service_(service),
      limits_(std::move(limits)),
      limitsFrom_(std::move(limitsFrom)) {}

MadeSet ChainMaker::make(const SetRequest& request) const {
  ChainTask task;
  task.problem = request.problem;
  std::string source = fmt::format("chain, threshold {}, a ladder for each symmetry", options_.threshold);
  if (const auto at = limits_.find(request.z); at != limits_.end()) {
    task.limit = at->second;
    if (!limitsFrom_.empty()) source += ", limit from " + limitsFrom_;
  }
  ChainOptions chain = options_;
  chain.stateFile = request.stateFile;
  chain.resume = request.resume;
  return madeSet(runChain(task, chain, service_, request.log), chain.threshold, source);
}

MadeSet madeSet(const ChainResult& result, double threshold, const std::string& source) {
  MadeSet made;
  made.set.spec = result.spec;
  made.set.provenance.source = source;
  made.set.provenance.energy = result.energy;
  made.set.provenance.limit = result.limit;
  made.set.provenance.error = result.error;
  made.seconds = result.seconds;
  if (!result.met)
    made.shortfall = fmt::format("best error {:.2e}, threshold {:.2e}", result.error, threshold);
  return made;
}

std::string ChainMaker::whyNotFinished(const LibraryEntry& entry) const {
  return whyNotWithin(options_.threshold, entry);
}

std::string whyNotWithin(double threshold, const LibraryEntry& entry) {
  const auto error = entry.provenance.error;
  if (!error) return "it does not say how large its error is";
  if (*error >= 0.0 && *error <= threshold) return "";
  return fmt::format("its error {:.2e} misses the threshold {:.2e}", *error, threshold);
}

}  // namespace prophet

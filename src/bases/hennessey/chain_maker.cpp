#include "bases/hennessey/chain_maker.hpp"

#include <fmt/format.h>

namespace prophet {

ChainMaker::ChainMaker(ChainOptions options, EnergyService& service, std::map<int, double> limits,
                       std::string limitsFrom)
    : threshold_(options.threshold),
      source_(fmt::format("chain, threshold {}, a ladder for each symmetry", threshold_)),
      run_([options = std::move(options), &service](const ChainTask& task, const SetRequest& request) {
        ChainOptions own = options;
        own.stateFile = request.stateFile;
        own.resume = request.resume;
        return runChain(task, own, service, request.log);
      }),
      limits_(std::move(limits)),
      limitsFrom_(std::move(limitsFrom)) {}

ChainMaker::ChainMaker(ThesisChainOptions options, EnergyService& service, std::map<int, double> limits,
                       std::string limitsFrom)
    : threshold_(options.threshold),
      source_(fmt::format("chain, method thesis, threshold {}", threshold_)),
      run_([options = std::move(options), &service](const ChainTask& task, const SetRequest& request) {
        ThesisChainOptions own = options;
        own.stateFile = request.stateFile;
        own.resume = request.resume;
        return runThesisChain(task, own, service, request.log);
      }),
      limits_(std::move(limits)),
      limitsFrom_(std::move(limitsFrom)) {}

MadeSet ChainMaker::make(const SetRequest& request) const {
  ChainTask task;
  task.problem = request.problem;
  MadeSet made;
  made.set.provenance.source = source_;
  if (const auto at = limits_.find(request.z); at != limits_.end()) {
    task.limit = at->second;
    if (!limitsFrom_.empty()) made.set.provenance.source += ", limit from " + limitsFrom_;
  }
  const ChainResult result = run_(task, request);
  made.set.spec = result.spec;
  made.set.provenance.energy = result.energy;
  made.set.provenance.limit = result.limit;
  made.set.provenance.error = result.error;
  made.seconds = result.seconds;
  if (!result.met)
    made.shortfall = fmt::format("best error {:.2e}, threshold {:.2e}", result.error, threshold_);
  return made;
}

std::string ChainMaker::whyNotFinished(const LibraryEntry& entry) const {
  const auto error = entry.provenance.error;
  if (!error) return "it does not say how large its error is";
  if (*error >= 0.0 && *error <= threshold_) return "";
  return fmt::format("its error {:.2e} misses the threshold {:.2e}", *error, threshold_);
}

}  // namespace prophet

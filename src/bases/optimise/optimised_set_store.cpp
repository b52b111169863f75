#include "bases/optimise/optimised_set_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bases/optimise/bsopt.hpp"
#include "bases/optimise/ladder_variables.hpp"
#include "bases/optimise/state_lines.hpp"
#include "core/common/error.hpp"
#include "core/common/thread_pool.hpp"

namespace prophet {
namespace {

/// Everything that an optimisation's outcome depends on beside the run's own options, as one word.
std::string keyOf(const WellTemperedSpec& set, std::optional<double> target) {
  std::string key = fmt::format("{}/{}/{}{}", fmt::join(set.functions, ","), fmt::join(set.start, ","),
                                target ? fmt::format("{}", *target) : "end", parametersText(set.groups));
  for (char& c : key) {
    if (c == ' ') c = '/';
  }
  return key;
}

}  // namespace

OptimisedSetStore::OptimisedSetStore(const ChainTask& task, const MinimiserOptions& minimiser, double floor,
                                     EnergyService& service, RecordLog& record)
    : task_(task), minimiser_(minimiser), floor_(floor), service_(service), record_(record) {
  for (std::size_t i = 0; i < record.earlier().size(); ++i) load(i);
}

void OptimisedSetStore::load(std::size_t number) {
  const std::string& text = record_.earlier()[number];
  if (kindOfLine(text) != "trial") return;
  try {
    const TrialLine line = trialLineOf(text);
    OptimisedSet trial;
    trial.energy = line.energy;
    trial.evaluations = line.evaluations;
    for (std::size_t i = 0; i < line.parameters.size(); i += 4)
      trial.spec.groups.push_back(
          {line.parameters[i], line.parameters[i + 1], line.parameters[i + 2], line.parameters[i + 3]});
    known_[line.key] = trial;
  } catch (const Error& error) {
    record_.refuse(number, error.what());
  }
}

OptimisedSet OptimisedSetStore::compute(const WellTemperedSpec& set, std::optional<double> target) const {
  BsoptTask task{task_.problem, set, {}, ""};
  BsoptOptions options;
  options.minimiser = minimiser_;
  options.target = target;
  options.floor = floor_;
  try {
    const BsoptResult result = runBsopt(task, options, service_);
    return {result.spec, result.energy, result.evaluations};
  } catch (const NoStartEnergy&) {
    return {set, NAN, 1};
  }
}

std::vector<OptimisedSet> OptimisedSetStore::optimise(const std::vector<WellTemperedSpec>& sets,
                                                      std::optional<double> target) {
  std::vector<OptimisedSet> trials(sets.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (const auto at = known_.find(keyOf(sets[i], target)); at != known_.end()) {
      trials[i] = at->second;
    } else {
      open.push_back(i);
    }
  }
  const int count = static_cast<int>(open.size());
  ThreadPool(std::max(1, count)).forEach(count, [&](int at, int) {
    const std::size_t i = open[static_cast<std::size_t>(at)];
    trials[i] = compute(sets[i], target);
    const std::lock_guard<std::mutex> lock(mutex_);
    TrialLine line{keyOf(sets[i], target), trials[i].energy, trials[i].evaluations, {}};
    for (const WellTemperedParameters& p : trials[i].spec.groups)
      line.parameters.insert(line.parameters.end(), {p.alpha, p.beta, p.delta, p.gamma});
    record_.append(textOf(line));
  });
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::vector<WellTemperedParameters> groups = trials[i].spec.groups;
    trials[i].spec = sets[i];
    trials[i].spec.groups = groups;
    known_[keyOf(sets[i], target)] = trials[i];
    ++fits_;
    evaluations_ += trials[i].evaluations;
  }
  return trials;
}

}  // namespace prophet

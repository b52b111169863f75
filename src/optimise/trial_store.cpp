#include "optimise/trial_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "common/number.hpp"
#include "common/thread_pool.hpp"
#include "optimise/bsopt.hpp"
#include "optimise/ladder_variables.hpp"

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

TrialStore::TrialStore(const ChainTask& task, const MinimiserOptions& minimiser, double floor,
                       EnergyService& service, RecordLog& record)
    : task_(task), minimiser_(minimiser), floor_(floor), service_(service), record_(record) {
  for (const std::string& line : record.earlier()) load(line);
}

/// "trial KEY ENERGY EVALUATIONS alpha beta delta gamma ...".
void TrialStore::load(const std::string& line) {
  constexpr std::size_t kKeyAt = 6;  // after "trial "
  if (line.rfind("trial ", 0) != 0) return;
  const std::size_t keyEnd = std::min(line.find(' ', kKeyAt), line.size());
  const std::string key = line.substr(kKeyAt, keyEnd - kKeyAt);
  const std::vector<double> v = parseDoubles(line.substr(keyEnd)).value_or(std::vector<double>{});
  if (v.size() < 6 || v.size() % 4 != 2)
    throw Error("damaged state file: '" + line + "'; remove it to begin anew");
  Trial trial;
  trial.energy = v[0];
  trial.evaluations = static_cast<int>(v[1]);
  for (std::size_t i = 2; i < v.size(); i += 4)
    trial.spec.groups.push_back({v[i], v[i + 1], v[i + 2], v[i + 3]});
  known_[key] = trial;
}

Trial TrialStore::compute(const WellTemperedSpec& set, std::optional<double> target) const {
  BsoptTask task{task_.nucleus, task_.configuration, task_.c, set, {}, ""};
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

std::vector<Trial> TrialStore::optimise(const std::vector<WellTemperedSpec>& sets,
                                        std::optional<double> target) {
  std::vector<Trial> trials(sets.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (const auto at = known_.find(keyOf(sets[i], target)); at != known_.end()) {
      trials[i] = at->second;
    } else {
      open.push_back(i);
    }
  }
  const int count = static_cast<int>(open.size());
  ThreadPool(count).forEach(count, [&](int at, int) {
    const std::size_t i = open[static_cast<std::size_t>(at)];
    trials[i] = compute(sets[i], target);
    const std::lock_guard<std::mutex> lock(mutex_);
    record_.append(fmt::format("trial {} {} {}{}", keyOf(sets[i], target), trials[i].energy,
                               trials[i].evaluations, parametersText(trials[i].spec.groups)));
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

#include "bases/collections/thesis_chain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "atoms/basis/well_tempered.hpp"
#include "atoms/service/energy_service.hpp"
#include "bases/collections/chain.hpp"
#include "bases/optimise/bsopt.hpp"
#include "bases/optimise/minimiser.hpp"
#include "bases/optimise/state_lines.hpp"
#include "bases/optimise/variables.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// A set whose parameters were optimised at its sizes.
struct OptimisedSet {
  WellTemperedSpec spec;
  double energy = 0;  ///< SCF energy, hartree; not a number where there is none
  int evaluations = 0;
};

/// Optimisations of whole sets (runBsopt), each done once and recorded, so that a continued run finds it
/// again.
class OptimisedSetStore {
 public:
  /// `floor`: energies below it (hartree) are not sought.
  OptimisedSetStore(const ChainTask& task, const MinimiserOptions& minimiser, double floor,
                    EnergyService& service, FinishedPieces& record);

  /// Optimises all these sets at once, each from its own parameters and until it has an energy of `target` or
  /// less (none: to the end). What a set gives depends on nothing else.
  std::vector<OptimisedSet> optimise(const std::vector<WellTemperedSpec>& sets,
                                     std::optional<double> target = {});
  int fits() const { return fits_; }
  int evaluations() const { return evaluations_; }

 private:
  OptimisedSet compute(const WellTemperedSpec& set, std::optional<double> target) const;

  const ChainTask& task_;
  MinimiserOptions minimiser_;
  double floor_;
  EnergyService& service_;
  FinishedPieces& record_;
  std::mutex mutex_;
  std::map<std::string, OptimisedSet>
      known_;  ///< by keyOf; of loaded ones only parameters, energy, evaluations
  int fits_ = 0, evaluations_ = 0;
};

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
                                     EnergyService& service, FinishedPieces& record)
    : task_(task), minimiser_(minimiser), floor_(floor), service_(service), record_(record) {
  forPieces(record, kTrial, [&](const std::string& text) {
    const TrialLine line = trialLineOf(text);
    OptimisedSet trial;
    trial.energy = line.energy;
    trial.evaluations = line.evaluations;
    for (std::size_t i = 0; i < line.parameters.size(); i += 4)
      trial.spec.groups.push_back(
          {line.parameters[i], line.parameters[i + 1], line.parameters[i + 2], line.parameters[i + 3]});
    known_[line.key] = trial;
  });
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
    const std::size_t i = open[at];
    trials[i] = compute(sets[i], target);
    const std::lock_guard<std::mutex> lock(mutex_);
    TrialLine line{keyOf(sets[i], target), trials[i].energy, trials[i].evaluations, {}};
    for (const WellTemperedParameters& p : trials[i].spec.groups)
      line.parameters.insert(line.parameters.end(), {p.alpha, p.beta, p.delta, p.gamma});
    record_.keep(kTrial, textOf(line));
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

namespace {

/// Share of the threshold below which no energy is sought: prolapse would lead on below the limit.
constexpr double kFloor = 0.02;
/// To which limits are good, relative: a large set may come out that much below.
constexpr double kRounding = 1e-12;

enum class End { Tight, Diffuse };
const char* nameOf(End end) { return end == End::Tight ? "tight" : "diffuse"; }

/// One of the steps of Hennessey (2018): functions of both symmetries of `l` go at one end.
struct Step {
  End end;
  int l;
};

/// In the order of Hennessey (2018): the tight ends of f, d, p and s, then the diffuse ends of f, d and p.
/// All s functions begin at the first exponent, which is optimised.
std::vector<Step> stepsFrom(int largestL) {
  std::vector<Step> steps;
  for (int l = largestL; l >= 0; --l) steps.push_back({End::Tight, l});
  for (int l = largestL; l > 0; --l) steps.push_back({End::Diffuse, l});
  return steps;
}

WellTemperedSpec startOf(const ChainTask& task, const ThesisChainOptions& o) {
  // Functions without electrons change no energy: no step would take the last of them away.
  return occupiedPart(
      o.start ? *o.start
              : sharedLadderSpec(task.problem.nucleus, task.problem.configuration, o.referenceBeta),
      task.problem.configuration);
}

std::string titleOf(const ChainTask& task, const ThesisChainOptions& o) {
  std::string text =
      fmt::format("thesis-chain 4: {}; threshold {}; {} {} {} {}; probes {};", fingerprint(task.problem),
                  o.threshold, nameOf(o.minimiser.method), o.minimiser.rhoBegin, o.minimiser.rhoEnd,
                  o.minimiser.maxEvaluations, o.probes);
  if (task.limit) text += fmt::format(" limit {};", *task.limit);
  const WellTemperedSpec start = startOf(task, o);
  return text + parametersText(start.groups) +
         fmt::format("; {} from {} in {}{}", fmt::join(start.functions, " "), fmt::join(start.start, " "),
                     fmt::join(start.group, " "), start.pool == LadderPool::Shared ? " shared" : "");
}

int sum(const std::vector<int>& functions) {
  int total = 0;
  for (const int n : functions) total += n;
  return total;
}

class ThesisChain {
 public:
  ThesisChain(const ChainTask& task, const ThesisChainOptions& options, EnergyService& service,
              const ChainLog& log)
      : task_(task),
        options_(options),
        log_(log),
        record_(options.stateFile, titleOf(task, options), options.resume),
        limit_(chainLimit(task, record_)),
        store_(task, options.minimiser, energyOf(kFloor * options.threshold), service, record_) {}

  ChainResult run();

 private:
  void say(const std::string& line) const {
    if (log_) log_(line);
  }
  double error(const OptimisedSet& trial) const { return (trial.energy - limit_) / std::abs(limit_); }
  bool within(const OptimisedSet& trial, double budget) const {
    return error(trial) >= -kRounding && error(trial) <= budget;
  }
  double energyOf(double budget) const { return limit_ + budget * std::abs(limit_); }
  int largestL() const { return Symmetry::fromIndex(static_cast<int>(best_.spec.functions.size()) - 1).l(); }
  int removable(int l) const;
  WellTemperedSpec without(Step step, int count) const;
  void keep(const OptimisedSet& trial);
  void drop(Step step, double budget);
  bool dropOne();
  ChainResult result() const;

  const ChainTask& task_;
  const ThesisChainOptions& options_;
  const ChainLog& log_;
  FinishedPieces record_;
  double limit_;
  OptimisedSetStore store_;
  OptimisedSet best_;
};

/// Functions of l that can go: the occupied spinors need theirs.
int ThesisChain::removable(int l) const {
  int count = 1000;
  for (std::size_t a = 0; a < best_.spec.functions.size(); ++a) {
    if (Symmetry::fromIndex(static_cast<int>(a)).l() != l) continue;
    const int occupied = a < task_.problem.configuration.symmetries.size()
                             ? task_.problem.configuration.occupiedSpinors(static_cast<int>(a))
                             : 0;
    count = std::min(count, best_.spec.functions[a] - std::max(occupied, 1));
  }
  return count;
}

WellTemperedSpec ThesisChain::without(Step step, int count) const {
  WellTemperedSpec spec = best_.spec;
  for (std::size_t a = 0; a < spec.functions.size(); ++a) {
    if (Symmetry::fromIndex(static_cast<int>(a)).l() != step.l) continue;
    spec.functions[a] -= count;
    if (step.end == End::Diffuse) spec.start[a] += count;
  }
  return spec;
}

/// Optimises to the end from here, and makes the result the best set.
void ThesisChain::keep(const OptimisedSet& trial) {
  best_ = store_.optimise({trial.spec}).front();
  if (!within(best_, error(trial))) best_ = trial;
  if (options_.bestFile.empty()) return;
  writeFileAtomically(
      options_.bestFile,
      fmt::format("! energy {:.12f} hartree, error {:.2e}, {} functions\n{}{}", best_.energy, error(best_),
                  sum(best_.spec.functions), inputBlock(task_.problem.nucleus), inputBlock(best_.spec)));
}

/// Drops as many functions as the budget allows.
void ThesisChain::drop(Step step, double budget) {
  int good = 0, bad = removable(step.l) + 1;
  OptimisedSet smallest;
  std::vector<int> tried;
  while (bad - good > 1) {
    std::vector<int> counts;
    for (int k = 1; k <= options_.probes; ++k) {
      const int count = good + (bad - good) * k / (options_.probes + 1);
      if (count > good && (counts.empty() || count > counts.back())) counts.push_back(count);
    }
    if (counts.empty()) counts.push_back(good + 1);
    std::vector<WellTemperedSpec> sets;
    for (const int count : counts) {
      sets.push_back(without(step, count));
      // The parameters of the nearest size that is good: those of a far larger set are a poor start.
      if (good > 0) sets.back().groups = smallest.spec.groups;
    }
    const std::vector<OptimisedSet> trials = store_.optimise(sets, energyOf(budget));
    tried.insert(tried.end(), counts.begin(), counts.end());
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!within(trials[i], budget)) continue;
      good = counts[i];
      smallest = trials[i];
    }
    for (const int count : counts) {
      if (count > good) bad = std::min(bad, count);
    }
  }
  if (good > 0) keep(smallest);
  say(fmt::format("{} end of {}: {} fewer (tried {}): {}, {} functions, error {:.2e} of {:.2e}",
                  nameOf(step.end), letterOfL(step.l), good, fmt::join(tried, ", "),
                  sizesText(best_.spec.functions), sum(best_.spec.functions), error(best_), budget));
}

/// One function of any l at any end; false if none can be dropped.
bool ThesisChain::dropOne() {
  std::vector<Step> steps;
  std::vector<WellTemperedSpec> sets;
  for (const Step step : stepsFrom(largestL())) {
    if (removable(step.l) < 1) continue;
    steps.push_back(step);
    sets.push_back(without(step, 1));
  }
  const std::vector<OptimisedSet> trials = store_.optimise(sets, energyOf(options_.threshold));
  int found = -1;
  for (int i = 0; i < static_cast<int>(trials.size()); ++i) {
    if (!within(trials[i], options_.threshold)) continue;
    if (found < 0) found = i;
    const int size = sum(trials[i].spec.functions), least = sum(trials[found].spec.functions);
    if (size < least || (size == least && trials[i].energy < trials[found].energy)) found = i;
  }
  if (found < 0) return false;
  keep(trials[found]);
  say(fmt::format("{} end of {}: one fewer: {}, {} functions, error {:.2e}", nameOf(steps[found].end),
                  letterOfL(steps[found].l), sizesText(best_.spec.functions), sum(best_.spec.functions),
                  error(best_)));
  return true;
}

ChainResult ThesisChain::result() const {
  ChainResult r;
  r.spec = best_.spec;
  r.energy = best_.energy;
  r.limit = limit_;
  r.error = error(best_);
  r.met = within(best_, options_.threshold);
  r.fits = store_.fits();
  r.evaluations = r.scfRuns = store_.evaluations();
  return r;
}

ChainResult ThesisChain::run() {
  best_ = store_.optimise({startOf(task_, options_)}, energyOf(options_.threshold)).front();
  say(fmt::format("limit {:.10f} hartree; start {}, {} functions, error {:.2e}", limit_,
                  sizesText(best_.spec.functions), sum(best_.spec.functions), error(best_)));
  if (!within(best_, options_.threshold)) return result();
  const std::vector<Step> steps = stepsFrom(largestL());
  // What a step spends is missing for the others: each gets an equal share.
  const double first = error(best_), share = (options_.threshold - first) / static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) drop(steps[i], first + share * static_cast<double>(i + 1));
  while (dropOne()) {
  }
  return result();
}

/// Runs a chain with these options but for what the request says of its state.
template <class Options>
auto runnerOf(Options options, EnergyService& service,
              ChainResult (*run)(const ChainTask&, const Options&, EnergyService&, const ChainLog&)) {
  return [options = std::move(options), &service, run](const ChainTask& task, const SetRequest& request) {
    Options own = options;
    own.stateFile = request.stateFile;
    own.resume = request.resume;
    return run(task, own, service, request.log);
  };
}

}  // namespace

ChainResult runThesisChain(const ChainTask& task, const ThesisChainOptions& options, EnergyService& service,
                           const ChainLog& log) {
  const Stopwatch watch;
  ChainResult result = ThesisChain(task, options, service, log).run();
  result.seconds = watch.seconds();
  return result;
}

ChainMaker::ChainMaker(ChainOptions options, EnergyService& service, std::map<int, double> limits,
                       std::string limitsFrom)
    : threshold_(options.threshold),
      source_(fmt::format("chain, threshold {}, a ladder for each symmetry", threshold_)),
      run_(runnerOf(std::move(options), service, runChain)),
      limits_(std::move(limits)),
      limitsFrom_(std::move(limitsFrom)) {}

ChainMaker::ChainMaker(ThesisChainOptions options, EnergyService& service, std::map<int, double> limits,
                       std::string limitsFrom)
    : threshold_(options.threshold),
      source_(fmt::format("chain, method thesis, threshold {}", threshold_)),
      run_(runnerOf(std::move(options), service, runThesisChain)),
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
  if (!error) return "it does not state its error";
  if (*error >= 0.0 && *error <= threshold_) return "";
  return fmt::format("its error {:.2e} misses the threshold {:.2e}", *error, threshold_);
}

}  // namespace prophet

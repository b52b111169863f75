#include "bases/optimise/thesis_chain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "atoms/frozen/reference_basis.hpp"
#include "bases/optimise/bsopt.hpp"
#include "bases/optimise/chain_limit.hpp"
#include "bases/optimise/fingerprint.hpp"
#include "bases/optimise/ladder_variables.hpp"
#include "bases/optimise/optimised_set_store.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/write_file.hpp"

namespace prophet {
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
      fmt::format("thesis-chain 3: {}; threshold {}; {} {} {} {}; probes {};", fingerprint(task.problem),
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
  RecordLog record_;
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

}  // namespace

ChainResult runThesisChain(const ChainTask& task, const ThesisChainOptions& options, EnergyService& service,
                           const ChainLog& log) {
  const Stopwatch watch;
  ChainResult result = ThesisChain(task, options, service, log).run();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace prophet

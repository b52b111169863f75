#include "bases/optimise/bsopt_many.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <random>

#include "bases/optimise/variables.hpp"
#include "core/common/files.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"

namespace prophet {
namespace {

/// One search for each starting point, and the best of all so far.
class Searches {
 public:
  Searches(const BsoptTask& task, const std::vector<WellTemperedSpec>& starts, const BsoptOptions& options,
           EnergyService& service, const BsoptManyObserver& observer)
      : task_(task), starts_(starts), options_(options), service_(service), observer_(observer) {
    result_.starts.resize(starts.size());
  }
  BsoptManyResult run();

 private:
  void search(std::size_t i);
  void observe(std::size_t i, const BsoptStep& step);
  void chooseBest();

  const BsoptTask& task_;
  const std::vector<WellTemperedSpec>& starts_;
  const BsoptOptions& options_;
  EnergyService& service_;
  const BsoptManyObserver& observer_;
  std::mutex mutex_;
  BsoptResult best_;  ///< of all evaluations so far
  BsoptManyResult result_;
};

void Searches::search(std::size_t i) {
  BsoptTask task = task_;
  task.spec = starts_[i];
  BsoptOptions options = options_;
  options.bestFile.clear();
  if (!options.stateFile.empty()) {
    options.stateFile += fmt::format(".{}", i);
    // A killed run may not have come to all of its starts.
    options.resume = options.resume && std::filesystem::exists(options.stateFile);
  }
  try {
    result_.starts[i].result =
        runBsopt(task, options, service_, [this, i](const BsoptStep& step) { observe(i, step); });
  } catch (const NoStartEnergy& error) {
    result_.starts[i].failure = error.what();
  }
}

void Searches::observe(std::size_t i, const BsoptStep& step) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!step.replayed) ++result_.evaluations;
  if (step.improved && (best_.bestEvaluation == 0 || step.energy < best_.energy)) {
    best_.energy = step.energy;
    best_.bestEvaluation = step.evaluation;
    best_.spec = starts_[i];
    best_.spec.groups = step.groups;
    if (!step.replayed && !options_.bestFile.empty())
      writeFileAtomically(options_.bestFile, bestSetText(task_.problem.nucleus, best_));
  }
  if (observer_) observer_(i, step);
}

void Searches::chooseBest() {
  bool any = false;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (!result_.starts[i].failure.empty()) continue;
    if (!any || result_.starts[i].result.energy < result_.starts[result_.best].result.energy)
      result_.best = i;
    any = true;
  }
  if (!any) throw NoStartEnergy("none of the starting points has an energy: " + result_.starts[0].failure);
}

BsoptManyResult Searches::run() {
  if (starts_.empty()) throw Error("no starting points");
  refuseOtherStarts(options_.stateFile, starts_.size());
  const Stopwatch watch;
  // A thread for each search, so that their energies come to the service together.
  const int count = static_cast<int>(starts_.size());
  ThreadPool(std::max(1, count)).forEach(count, [this](int i, int) { search(static_cast<std::size_t>(i)); });
  chooseBest();
  if (!options_.bestFile.empty())
    writeFileAtomically(options_.bestFile,
                        bestSetText(task_.problem.nucleus, result_.starts[result_.best].result));
  result_.seconds = watch.seconds();
  return std::move(result_);
}

}  // namespace

std::vector<WellTemperedSpec> scatteredStarts(const WellTemperedSpec& spec, int count, double spread) {
  std::vector<WellTemperedSpec> starts{spec};
  std::mt19937_64 random(20261121);
  // Not std::uniform_real_distribution: its numbers differ between standard libraries.
  const auto fraction = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  while (static_cast<int>(starts.size()) < count) {
    std::vector<double> x = toVariables(spec.groups);
    for (double& value : x) value += spread * (2.0 * fraction() - 1.0);
    starts.push_back(spec);
    starts.back().groups = fromVariables(x);
  }
  return starts;
}

void refuseOtherStarts(const std::string& stateFile, std::size_t starts) {
  if (stateFile.empty()) return;
  const bool many = starts > 1;
  const std::string next = stateFile + fmt::format(".{}", many ? starts : 0);
  if (std::filesystem::exists(next))
    throw Error(
        fmt::format("{}: belongs to a run with {} starts; continue with the same number, or remove its files "
                    "{}.* to start again",
                    next, many ? "more" : "several", stateFile));
  if (many && std::filesystem::exists(stateFile))
    throw Error(stateFile +
                ": belongs to a run with one start; continue without 'starts', or remove it to start again");
}

BsoptManyResult runBsoptMany(const BsoptTask& task, const std::vector<WellTemperedSpec>& starts,
                             const BsoptOptions& options, EnergyService& service,
                             const BsoptManyObserver& observer) {
  return Searches(task, starts, options, service, observer).run();
}

}  // namespace prophet

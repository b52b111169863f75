#include "optimise/bsopt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "common/number.hpp"
#include "common/stopwatch.hpp"
#include "common/write_file.hpp"
#include "optimise/ladder_variables.hpp"
#include "optimise/record_log.hpp"

namespace prophet {
namespace {

std::string titleOf(const BsoptTask& task, const BsoptOptions& options) {
  const MinimiserOptions& o = options.minimiser;
  std::string more = task.fingerprint;
  if (options.target) more += fmt::format(" target {}", *options.target);
  if (options.floor) more += fmt::format(" floor {}", *options.floor);
  if (!options.warmStarts) more += " cold";
  return fmt::format("bsopt 2: {}; {}; c {}; start{}; nbs {} from {} in {}{}; {} {} {} {}; {}",
                     task.nucleus.description(), task.configuration.description, task.c,
                     parametersText(task.spec.groups), fmt::join(task.spec.functions, " "),
                     fmt::join(task.spec.start, " "), fmt::join(task.spec.group, " "),
                     task.spec.pool == LadderPool::Shared ? " shared" : "", nameOf(o.method), o.rhoBegin,
                     o.rhoEnd, o.maxEvaluations, more);
}

/// An evaluation of an earlier run: "e <energy or nan> <x1> <x2> ...", shortest exact digits.
struct Evaluation {
  double energy = 0;
  std::vector<double> x;
};

std::string lineOf(const Evaluation& e) { return fmt::format("e {} {}", e.energy, fmt::join(e.x, " ")); }

Evaluation evaluationOf(const std::string& line) {
  const std::optional<std::vector<double>> numbers =
      line.rfind("e ", 0) == 0 ? parseDoubles(line.substr(2)) : std::nullopt;
  if (!numbers || numbers->size() < 2)
    throw Error("damaged state file: '" + line + "'; remove it to begin anew");
  return {numbers->front(), {numbers->begin() + 1, numbers->end()}};
}

class Search {
 public:
  Search(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
         const BsoptObserver& observer)
      : task_(task),
        options_(options),
        service_(service),
        observer_(observer),
        record_(options.stateFile, titleOf(task, options), options.resume) {}
  BsoptResult run();

 private:
  double value(const std::vector<double>& x);
  double energyAt(const std::vector<double>& x, BsoptStep& step);
  EnergyOutcome compute(const std::vector<double>& x);
  void retrace();
  bool credible(double energy) const {
    return std::isfinite(energy) && (result_.evaluations == 0 || std::abs(energy) < 10.0 * std::abs(first_));
  }
  void improve(const std::vector<double>& x, double energy, bool replayed);
  void writeBest();
  double counted(double energy) const {
    return options_.floor && energy < *options_.floor ? 2.0 * *options_.floor - energy : energy;
  }

  const BsoptTask& task_;
  const BsoptOptions& options_;
  EnergyService& service_;
  const BsoptObserver& observer_;
  RecordLog record_;
  BsoptResult result_;
  double first_ = 0;
  std::vector<double> best_;
  bool bestWritten_ = true;
  std::shared_ptr<const StartSpinors> start_;  ///< spinors of the best set
  EnergyOutcome last_;
  std::vector<std::vector<double>> trail_;  ///< replayed improvements whose spinors start_ lacks yet
};

/// The energy from the record or from the service; not-a-number where there is none.
double Search::energyAt(const std::vector<double>& x, BsoptStep& step) {
  const std::size_t number = static_cast<std::size_t>(result_.evaluations);
  if (number < record_.earlier().size()) {
    const Evaluation known = evaluationOf(record_.earlier()[number]);
    if (known.x != x)
      throw Error(options_.stateFile + ": evaluation " + std::to_string(number + 1) +
                  " is not the one that this run makes; it comes from another version. Remove the file to "
                  "begin anew (the best set so far is kept beside it)");
    step.replayed = true;
    ++result_.replayed;
    return known.energy;
  }
  retrace();
  double energy = NAN;
  try {
    last_ = compute(x);
    step.reason = last_.reason;
    step.scfIterations = last_.iterations;
    result_.scfIterations += last_.iterations;
    if (last_.ok() && credible(last_.energy.total)) energy = last_.energy.total;
  } catch (const Error& error) {
    step.reason = error.what();  // a ladder that overflows, say
  }
  record_.append(lineOf({energy, x}));
  return energy;
}

EnergyOutcome Search::compute(const std::vector<double>& x) {
  WellTemperedSpec spec = task_.spec;
  spec.groups = fromVariables(x);
  EnergyRequest request{"", task_.nucleus, makeWellTempered(spec), task_.configuration, task_.c, task_.scf};
  request.start = start_;
  request.keepSpinors = options_.warmStarts;
  return service_.evaluate(std::move(request));
}

/// The spinors of the best set of an earlier run, in the way in which that run came by them.
void Search::retrace() {
  if (options_.warmStarts) {
    for (const std::vector<double>& x : trail_) {
      start_ = compute(x).spinors;
      if (!start_) break;  // a service that keeps none, a GPU's batches
    }
  }
  trail_.clear();
}

double Search::value(const std::vector<double>& x) {
  BsoptStep step;
  step.groups = fromVariables(x);
  const double energy = energyAt(x, step);
  step.evaluation = ++result_.evaluations;
  step.ok = std::isfinite(energy);
  if (step.evaluation == 1) {
    if (!step.ok)
      throw NoStartEnergy("the set that the optimisation starts from has no energy: " + step.reason);
    result_.startEnergy = first_ = energy;
  }
  // Above every sensible energy, but not so far that one failure spoils the minimiser's quadratic model.
  step.energy = step.ok ? counted(energy) : first_ + 1e-3 * std::abs(first_);
  if (!step.ok) ++result_.failures;
  step.improved = step.ok && (best_.empty() || step.energy < counted(result_.energy));
  if (step.improved) improve(x, energy, step.replayed);
  if (!step.replayed) writeBest();
  for (std::size_t i = 0; i < x.size(); ++i)
    step.distance = std::max(step.distance, std::abs(x[i] - best_[i]));
  if (observer_) observer_(step);
  return step.energy;
}

void Search::improve(const std::vector<double>& x, double energy, bool replayed) {
  best_ = x;
  result_.energy = energy;
  result_.bestEvaluation = result_.evaluations;
  result_.spec = task_.spec;
  result_.spec.groups = fromVariables(x);
  bestWritten_ = false;
  if (replayed) {
    trail_.push_back(x);
  } else {
    start_ = last_.spinors;
  }
}

/// Not during a replay, whose file is better already.
void Search::writeBest() {
  if (bestWritten_ || options_.bestFile.empty()) return;
  writeFileAtomically(options_.bestFile, bestSetText(result_));
  bestWritten_ = true;
}

BsoptResult Search::run() {
  const Stopwatch watch;
  MinimiserOptions minimiser = options_.minimiser;
  if (options_.target) minimiser.target = 0.0;
  // Energies relative to the first or the target, in units of its 1e-6: differences keep their digits in
  // NLopt's tests.
  const Minimum minimum = minimise(
      [this](const std::vector<double>& x) {
        const double energy = value(x), zero = options_.target.value_or(first_);
        return (energy - zero) / (1e-6 * std::abs(zero));
      },
      toVariables(task_.spec.groups), minimiser);
  writeBest();
  result_.reason = minimum.reason;
  result_.seconds = watch.seconds();
  return result_;
}

}  // namespace

std::string bestSetText(const BsoptResult& result) {
  return fmt::format("! energy {:.12f} hartree after {} evaluations\n{}", result.energy,
                     result.bestEvaluation, inputBlock(result.spec));
}

BsoptResult runBsopt(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
                     const BsoptObserver& observer) {
  return Search(task, options, service, observer).run();
}

}  // namespace prophet

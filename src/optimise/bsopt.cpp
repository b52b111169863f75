#include "optimise/bsopt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <thread>

#include "common/error.hpp"
#include "common/stopwatch.hpp"
#include "common/write_file.hpp"
#include "optimise/ladder_variables.hpp"
#include "optimise/record_log.hpp"

namespace prophet {
namespace {

std::string titleOf(const BsoptTask& task, const MinimiserOptions& o) {
  std::string parameters;
  for (const WellTemperedParameters& p : task.spec.groups)
    parameters += fmt::format(" {} {} {} {}", p.alpha, p.beta, p.delta, p.gamma);
  return fmt::format("bsopt 1: {}; {}; c {}; start{}; nbs {} from {} in {}{}; {} {} {} {}; {}",
                     task.nucleus.description(), task.configuration.description, task.c, parameters,
                     fmt::join(task.spec.functions, " "), fmt::join(task.spec.start, " "),
                     fmt::join(task.spec.group, " "), task.spec.pool == LadderPool::Shared ? " shared" : "",
                     nameOf(o.method), o.rhoBegin, o.rhoEnd, o.maxEvaluations, task.fingerprint);
}

/// An evaluation of an earlier run: "e <energy or nan> <x1> <x2> ...", shortest exact digits.
struct Evaluation {
  double energy = 0;
  std::vector<double> x;
};

std::string lineOf(const Evaluation& e) { return fmt::format("e {} {}", e.energy, fmt::join(e.x, " ")); }

Evaluation evaluationOf(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  Evaluation e;
  words >> word >> word;
  e.energy = std::strtod(word.c_str(), nullptr);
  while (words >> word) e.x.push_back(std::strtod(word.c_str(), nullptr));
  return e;
}

class Search {
 public:
  Search(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
         const BsoptObserver& observer)
      : task_(task),
        options_(options),
        service_(service),
        observer_(observer),
        record_(options.stateFile, titleOf(task, options.minimiser), options.resume) {}
  BsoptResult run();

 private:
  double value(const std::vector<double>& x);
  double energyAt(const std::vector<double>& x, BsoptStep& step);
  bool credible(double energy) const {
    return std::isfinite(energy) && (result_.evaluations == 0 || std::abs(energy) < 10.0 * std::abs(first_));
  }
  void improve(const std::vector<double>& x, double energy);

  const BsoptTask& task_;
  const BsoptOptions& options_;
  EnergyService& service_;
  const BsoptObserver& observer_;
  RecordLog record_;
  BsoptResult result_;
  double first_ = 0;
  std::vector<double> best_;
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
  double energy = NAN;
  try {
    WellTemperedSpec spec = task_.spec;
    spec.groups = step.groups;
    const EnergyOutcome outcome = service_.evaluate(
        {"", task_.nucleus, makeWellTempered(spec), task_.configuration, task_.c, task_.scf});
    step.reason = outcome.reason;
    if (outcome.ok() && credible(outcome.energy.total)) energy = outcome.energy.total;
  } catch (const Error& error) {
    step.reason = error.what();  // a ladder that overflows, say
  }
  record_.append(lineOf({energy, x}));
  return energy;
}

double Search::value(const std::vector<double>& x) {
  BsoptStep step;
  step.groups = fromVariables(x);
  const double energy = energyAt(x, step);
  step.evaluation = ++result_.evaluations;
  step.ok = std::isfinite(energy);
  if (step.evaluation == 1) {
    if (!step.ok) throw Error("the set that the optimisation starts from has no energy: " + step.reason);
    result_.startEnergy = first_ = energy;
  }
  // Above every sensible energy, but not so far that one failure spoils the minimiser's quadratic model.
  step.energy = step.ok ? energy : first_ + 1e-3 * std::abs(first_);
  if (!step.ok) ++result_.failures;
  step.improved = step.ok && (best_.empty() || energy < result_.energy);
  if (step.improved) improve(x, energy);
  for (std::size_t i = 0; i < x.size(); ++i)
    step.distance = std::max(step.distance, std::abs(x[i] - best_[i]));
  if (observer_) observer_(step);
  return step.energy;
}

void Search::improve(const std::vector<double>& x, double energy) {
  best_ = x;
  result_.energy = energy;
  result_.spec = task_.spec;
  result_.spec.groups = fromVariables(x);
  if (options_.bestFile.empty()) return;
  writeFileAtomically(options_.bestFile, fmt::format("! energy {:.12f} hartree after {} evaluations\n{}",
                                                     energy, result_.evaluations, inputBlock(result_.spec)));
}

BsoptResult Search::run() {
  const Stopwatch watch;
  // Energies relative to the first, in units of its 1e-6: differences keep their digits in NLopt's tests.
  const Minimum minimum = minimise(
      [this](const std::vector<double>& x) {
        const double energy = value(x);
        return (energy - first_) / (1e-6 * std::abs(first_));
      },
      toVariables(task_.spec.groups), options_.minimiser);
  result_.reason = minimum.reason;
  result_.seconds = watch.seconds();
  return result_;
}

}  // namespace

BsoptResult runBsopt(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
                     const BsoptObserver& observer) {
  return Search(task, options, service, observer).run();
}

std::vector<BsoptResult> runBsoptMany(const BsoptTask& task, const std::vector<WellTemperedSpec>& starts,
                                      const BsoptOptions& options, EnergyService& service) {
  std::vector<BsoptResult> results(starts.size());
  std::vector<std::exception_ptr> errors(starts.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    threads.emplace_back([&, i] {
      BsoptTask mine = task;
      mine.spec = starts[i];
      BsoptOptions its = options;
      if (!its.stateFile.empty()) its.stateFile += fmt::format(".{}", i);
      if (!its.bestFile.empty()) its.bestFile += fmt::format(".{}", i);
      try {
        results[i] = runBsopt(mine, its, service);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return results;
}

}  // namespace prophet

#include "bases/optimise/bsopt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <random>

#include "atoms/atom/nuclear_charge.hpp"
#include "bases/optimise/state_lines.hpp"
#include "bases/optimise/variables.hpp"
#include "core/common/constants.hpp"
#include "core/common/files.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"

namespace prophet {
namespace {

std::string titleOf(const BsoptTask& task, const BsoptOptions& options) {
  const MinimiserOptions& o = options.minimiser;
  const AtomProblem& p = task.problem;
  std::string more = task.fingerprint;
  if (options.target) more += fmt::format(" target {}", *options.target);
  if (options.floor) more += fmt::format(" floor {}", *options.floor);
  if (!options.warmStarts) more += " cold";
  return fmt::format("bsopt 4: {}; {}; start{}; nbs {} from {} in {}{}; {} {} {} {}; {}", fingerprint(p),
                     fingerprint(task.scf), parametersText(task.spec.groups),
                     fmt::join(task.spec.functions, " "), fmt::join(task.spec.start, " "),
                     fmt::join(task.spec.group, " "), task.spec.pool == LadderPool::Shared ? " shared" : "",
                     nameOf(o.method), o.rhoBegin, o.rhoEnd, o.maxEvaluations, more);
}

/// How well an energy of the record and the same one computed again must agree, relative.
constexpr double kSameEnergy = 1e-8;

class EbfSearch {
 public:
  EbfSearch(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
            const BsoptObserver& observer)
      : task_(task),
        options_(options),
        service_(service),
        observer_(observer),
        record_(options.stateFile, titleOf(task, options), options.resume) {}
  BsoptResult run();

 private:
  /// A replayed evaluation that was the best one when it was made.
  struct Improvement {
    int evaluation = 0;
    double energy = 0;
    std::vector<double> x;
  };
  double value(const std::vector<double>& x);
  double energyAt(const std::vector<double>& x, BsoptStep& step);
  Result compute(const std::vector<double>& x);
  EvaluationLine recorded(std::size_t number) const;
  void retrace();
  void verify(const Improvement& known, const Result& again) const;
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
  FinishedPieces record_;
  BsoptResult result_;
  double first_ = 0;
  std::vector<double> best_;
  bool bestWritten_ = true;
  std::shared_ptr<const StartSpinors> start_;  ///< spinors of the best set
  Result last_;
  std::vector<Improvement> trail_;  ///< replayed improvements whose spinors start_ lacks yet
};

/// The energy from the record or from the service; not-a-number where there is none.
double EbfSearch::energyAt(const std::vector<double>& x, BsoptStep& step) {
  const std::size_t number = static_cast<std::size_t>(result_.evaluations);
  if (number < record_.pieces().size()) {
    const EvaluationLine known = recorded(number);
    if (known.x != x)
      throw Error(options_.stateFile + ": evaluation " + std::to_string(number + 1) +
                  " is not the one that this run makes; it comes from another version. Remove the file to "
                  "start again (the best set so far is kept in a file beside it)");
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
  record_.keep(kEvaluation, textOf(EvaluationLine{energy, x}));
  return energy;
}

Result EbfSearch::compute(const std::vector<double>& x) {
  WellTemperedSpec spec = task_.spec;
  spec.groups = fromVariables(x);
  Calculation calculation = calculationIn(makeWellTempered(spec), task_.problem, task_.scf);
  calculation.inBasis().start = start_;
  calculation.inBasis().keepSpinors = options_.warmStarts;
  return service_.evaluate(std::move(calculation));
}

EvaluationLine EbfSearch::recorded(std::size_t number) const {
  try {
    return evaluationLineOf(record_.content(number));
  } catch (const Error& error) {
    record_.refuse(number, error.what());
  }
}

/// The spinors of the best set of an earlier run, in the way in which that run came by them. What it recorded
/// is believed only as far as it can be computed again: without spinors to come by that is the first energy,
/// which all others are compared with, and the best one.
void EbfSearch::retrace() {
  for (std::size_t i = 0; i < trail_.size(); ++i) {
    if (i > 0 && i + 1 < trail_.size() && !start_) continue;  // a service that keeps none
    const Result again = compute(trail_[i].x);
    verify(trail_[i], again);
    if (options_.warmStarts) start_ = again.coefficients;
  }
  trail_.clear();
}

void EbfSearch::verify(const Improvement& known, const Result& again) const {
  const double energy = again.energy.total;
  if (again.ok() && std::abs(energy - known.energy) <= kSameEnergy * std::abs(energy)) return;
  record_.refuse(
      static_cast<std::size_t>(known.evaluation) - 1,
      again.ok() ? fmt::format("energy {:.10f}, but this input gives {:.10f}", known.energy, energy)
                 : fmt::format("energy {:.10f}, but this input gives none: {}", known.energy, again.reason));
}

double EbfSearch::value(const std::vector<double>& x) {
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

void EbfSearch::improve(const std::vector<double>& x, double energy, bool replayed) {
  best_ = x;
  result_.energy = energy;
  result_.bestEvaluation = result_.evaluations;
  result_.spec = task_.spec;
  result_.spec.groups = fromVariables(x);
  bestWritten_ = false;
  if (replayed) {
    trail_.push_back({result_.evaluations, energy, x});
  } else {
    start_ = last_.coefficients;
  }
}

/// Not during a replay, whose file is better already.
void EbfSearch::writeBest() {
  if (bestWritten_ || options_.bestFile.empty()) return;
  writeFileAtomically(options_.bestFile, bestSetText(task_.problem.nucleus, result_));
  bestWritten_ = true;
}

BsoptResult EbfSearch::run() {
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
  retrace();
  writeBest();
  result_.reason = minimum.reason;
  result_.seconds = watch.seconds();
  return result_;
}

}  // namespace

std::string bestSetText(const Nucleus& nucleus, const BsoptResult& result) {
  return fmt::format("! energy {:.12f} hartree after {} evaluations\n{}{}", result.energy,
                     result.bestEvaluation, inputBlock(nucleus), inputBlock(result.spec));
}

BsoptResult runBsopt(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
                     const BsoptObserver& observer) {
  return EbfSearch(task, options, service, observer).run();
}

namespace {

/// The keyword that gives the nucleus its size.
std::string sizeOf(const Nucleus& n) {
  if (n.isPoint()) return "";
  if (n.massNumber > 0 && n.rms == defaultRms(n.massNumber)) return fmt::format(" mass={}", n.massNumber);
  for (const NuclearKeyword& k : chargeOf(n.model).keywords) {
    if (k.size) return fmt::format(" {}={}", k.keyword, k.of(n));
  }
  return fmt::format(" rms={}", n.rms * constants::kFemtometresPerBohr);
}

/// What is not as usual beside the size.
std::string shapeOf(const Nucleus& n) {
  std::string text;
  for (const NuclearKeyword& k : chargeOf(n.model).keywords) {
    if (!k.size && std::abs(k.of(n) - *k.usual) >= 1e-12) text += fmt::format(" {}={}", k.keyword, k.of(n));
  }
  return text;
}

}  // namespace

std::string inputBlock(const Nucleus& nucleus) {
  return fmt::format(" $nuc znuc={} nucmdl={}{}{} $end\n", nucleus.charge, static_cast<int>(nucleus.model),
                     sizeOf(nucleus), shapeOf(nucleus));
}

std::string inputBlock(const WellTemperedSpec& spec) {
  std::string parameters;
  for (const WellTemperedParameters& p : spec.groups)
    parameters += fmt::format("{}{}, {}, {}, {}", parameters.empty() ? "" : ",\n           ", p.alpha, p.beta,
                              p.delta, p.gamma);
  return fmt::format(
      " $bas nsym={} bastype='wtbs' ngroup={} $end\n"
      " $wtbs\n"
      "  wtbspara={}\n"
      "  nbs={}\n"
      "  start={}\n"
      "  groups={}\n"
      "  pool='{}'\n"
      " $end\n",
      spec.functions.size(), spec.groups.size(), parameters, fmt::join(spec.functions, ","),
      fmt::join(spec.start, ","), fmt::join(spec.group, ","),
      spec.pool == LadderPool::Shared ? "shared" : "symmetry");
}

std::string inputBlock(const BasisSet& basis) {
  std::string text = fmt::format(" $bas nsym={} bastype='rdin' $end\n", basis.symmetries.size());
  for (const SymmetryBasis& s : basis.symmetries) {
    text += fmt::format(" {}\n", s.size());
    for (const double zeta : s.exponents) text += fmt::format("  {}\n", zeta);
  }
  return text;
}

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

#include "bases/collections/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/calculation/compute.hpp"
#include "bases/optimise/ladder_fit.hpp"
#include "bases/optimise/state_lines.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// Optimised ladders of one atom by symmetry and size: each is computed once, and recorded, so that a
/// continued run finds it again. Several threads may ask at once, each for symmetries of its own: what they
/// get does not depend on the others.
class FitStore {
 public:
  struct Settings {
    MinimiserOptions options;
    int passes = 2;
    double resolution = 0;      ///< of fitLadder, hartree
    double rangeTolerance = 0;  ///< of neededRange, hartree
    bool byGradient = false;    ///< searchLadder instead of fitLadder, where the field has slopes
    int startsAtOnce = 1;       ///< of a search by the gradient
  };
  FitStore(const BasisTrials& field, const BasisSet& reference, const Settings& settings,
           FinishedPieces& record);

  /// The ladder of `functions` for a symmetry. Starts from the nearest size that is known, else from the
  /// range that the symmetry needs.
  const FittedLadder& fit(int symmetry, int functions);
  /// A size to begin with: neighbours in the needed range differ by the factor 1.8 on average.
  int firstGuess(int symmetry);
  int fits() const { return fits_; }
  int evaluations() const { return evaluations_; }

 private:
  FittedLadder optimise(int symmetry, int functions);
  FittedLadder optimiseByGradient(int symmetry, int functions);
  WellTemperedParameters startFor(int symmetry, int functions);
  const ExponentRange& range(int symmetry);

  const BasisTrials& field_;
  const BasisSet& reference_;
  Settings settings_;
  FinishedPieces& record_;
  std::mutex mutex_;  ///< for all that follows; not held while a ladder is optimised
  std::map<std::pair<int, int>, FittedLadder> known_, recorded_;
  std::map<int, ExponentRange> ranges_;
  int fits_ = 0, evaluations_ = 0;
};

namespace {

constexpr double kFirstDelta = 5.0, kFirstGamma = 1.0;
constexpr std::pair<double, double> kOtherShapes[] = {{2.5, 0.4}, {8.0, 1.5}};  // delta, gamma
/// Part of the cost that a pass has to save for the next one to begin.
constexpr double kWorthAnother = 1e-2;

}  // namespace

FitStore::FitStore(const BasisTrials& field, const BasisSet& reference, const Settings& settings,
                   FinishedPieces& record)
    : field_(field), reference_(reference), settings_(settings), record_(record) {
  forPieces(record, kFit, [&](const std::string& text) {
    const FitLine f = fitLineOf(text);
    recorded_[{f.symmetry, f.functions}] = {
        f.functions, {f.alpha, f.beta, f.delta, f.gamma}, {f.rise, f.prolapse}, f.evaluations};
  });
}

const ExponentRange& FitStore::range(int symmetry) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = ranges_.find(symmetry);
    if (at != ranges_.end()) return at->second;
  }
  const ExponentRange needed =
      neededRange(field_, symmetry, reference_.symmetries[symmetry].exponents, settings_.rangeTolerance);
  const std::lock_guard<std::mutex> lock(mutex_);
  return ranges_[symmetry] = needed;
}

int FitStore::firstGuess(int symmetry) {
  const ExponentRange& r = range(symmetry);
  const int guess = 1 + static_cast<int>(std::lround(std::log(r.largest / r.smallest) / std::log(1.8)));
  return std::max(guess, field_.occupied(symmetry) + 2);
}

WellTemperedParameters FitStore::startFor(int symmetry, int functions) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const FittedLadder* nearest = nullptr;
    for (const auto& [key, ladder] : known_) {
      if (key.first != symmetry) continue;
      if (!nearest || std::abs(key.second - functions) < std::abs(nearest->functions - functions))
        nearest = &ladder;
    }
    if (nearest) return resized(*nearest, functions);
  }
  return ladderOver(range(symmetry), functions, kFirstDelta, kFirstGamma);
}

/// From what is known, and from two other shapes: there are several minima, one of which may be far lower.
FittedLadder FitStore::optimiseByGradient(int symmetry, int functions) {
  std::vector<WellTemperedParameters> starts{startFor(symmetry, functions)};
  for (const auto& [delta, gamma] : kOtherShapes)
    starts.push_back(ladderOver(range(symmetry), functions, delta, gamma));
  return searchLadder(field_, symmetry, functions, starts, settings_.resolution, settings_.startsAtOnce);
}

FittedLadder FitStore::optimise(int symmetry, int functions) {
  if (settings_.byGradient && field_.hasSlopes()) return optimiseByGradient(symmetry, functions);
  FittedLadder ladder;
  ladder.parameters = startFor(symmetry, functions);
  int evaluations = 0;
  for (int pass = 0; pass < settings_.passes; ++pass) {
    const double before = cost(ladder.shortfall);
    ladder =
        fitLadder(field_, symmetry, functions, ladder.parameters, settings_.resolution, settings_.options);
    evaluations += ladder.evaluations;
    if (pass > 0 && cost(ladder.shortfall) > (1.0 - kWorthAnother) * before) break;
  }
  ladder.evaluations = evaluations;
  return ladder;
}

const FittedLadder& FitStore::fit(int symmetry, int functions) {
  const std::pair<int, int> key{symmetry, functions};
  std::optional<FittedLadder> ladder;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
    if (const auto at = recorded_.find(key); at != recorded_.end()) ladder = at->second;
  }
  const bool begun = ladder.has_value();
  if (!begun) ladder = optimise(symmetry, functions);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!begun) {
    const WellTemperedParameters& p = ladder->parameters;
    record_.keep(
        kFit, textOf(FitLine{symmetry, functions, p.alpha, p.beta, p.delta, p.gamma, ladder->shortfall.rise,
                             ladder->shortfall.prolapse, ladder->evaluations}));
  }
  ++fits_;
  evaluations_ += ladder->evaluations;
  return known_[key] = *ladder;
}

namespace {

/// Share of the threshold that the search may use: the frozen field is a few percent off.
constexpr double kSafety = 0.97;
constexpr int kLargestAttempts = 6;
/// Part of the threshold that the error of a set has to be for the search to end there.
constexpr double kCloseEnough = 0.96;
constexpr int kStartsAtOnce = 3;
constexpr int kLargestLadder = 80;

std::string titleOf(const ChainTask& task, const ChainOptions& o) {
  const std::string minimiser = fmt::format("{} {} {} {} x{}", nameOf(o.fit.method), o.fit.rhoBegin,
                                            o.fit.rhoEnd, o.fit.maxEvaluations, o.fitPasses);
  return fmt::format("chain 5: {}; threshold {}; limit {}; reference {}; {}", fingerprint(task.problem),
                     o.threshold, task.limit ? fmt::format("{}", *task.limit) : "computed", o.referenceBeta,
                     o.byGradient ? "gradient" : minimiser);
}

int functionsOf(const ChainResult& result) {
  int sum = 0;
  for (const FittedLadder& ladder : result.ladders) sum += ladder.functions;
  return sum;
}

/// Sets that meet the threshold come first, then smaller ones, then more accurate ones.
bool better(const ChainResult& a, const ChainResult& b) {
  if (b.ladders.empty()) return true;
  if (a.met != b.met) return a.met;
  if (a.met && functionsOf(a) != functionsOf(b)) return functionsOf(a) < functionsOf(b);
  return std::abs(a.error) < std::abs(b.error);
}

class Chain {
 public:
  Chain(const ChainTask& task, const ChainOptions& options, EnergyService& service, const ChainLog& log)
      : setUp_(std::in_place, options.trials.host),
        task_(task),
        options_(options),
        service_(service),
        log_(log),
        record_(options.stateFile, titleOf(task, options), options.resume),
        limit_(chainLimit(task, record_)),
        reference_(makeWellTempered(
            universalSpec(task.problem.nucleus, task.problem.configuration, options.referenceBeta))),
        field_(reference_, task.problem.nucleus, task.problem.configuration,
               task.problem.hamiltonian.speedOfLight),
        trials_(field_, options.trials),
        store_(trials_, reference_, settings(), record_),
        pool_(options.sideBySide) {
    setUp_.reset();
  }

  ChainResult run();

 private:
  void say(const std::string& line) const {
    const std::lock_guard<std::mutex> lock(logMutex_);
    if (log_) log_(line);
  }
  FitStore::Settings settings() const {
    const double scale = std::abs(limit_) * options_.threshold;
    return {options_.fit,        options_.fitPasses,
            0.002 * scale,       0.04 * scale,
            options_.byGradient, options_.sideBySide > 1 && options_.trials.device ? kStartsAtOnce : 1};
  }
  int smallest(int a) const { return field_.occupied(a); }
  /// What a ladder adds to the error. Its prolapse counts where it is the larger part, since what it hides
  /// would come to light in other surroundings (another state, another Hamiltonian).
  double costAt(int a, int n) {
    const BasisShortfall& shortfall = store_.fit(a, n).shortfall;
    return std::max(shortfall.rise, shortfall.prolapse);
  }
  void findSize(int a, double share);
  double total();
  /// Optimises ladders of these sizes, side by side; 0: none.
  void fitAll(const std::vector<int>& functions);
  void grow(double budget);
  void shrink(double budget);
  ChainResult verify();

  std::optional<Permits::Hold> setUp_;  ///< while the field is made
  const ChainTask& task_;
  const ChainOptions& options_;
  EnergyService& service_;
  const ChainLog& log_;
  FinishedPieces record_;
  double limit_;
  BasisSet reference_;
  FrozenField field_;
  TabulatedField trials_;
  FitStore store_;
  ThreadPool pool_;
  mutable std::mutex logMutex_;
  std::vector<int> functions_;
  int scfRuns_ = 0;
};

/// The fewest functions with a cost within `share`: secant steps on ln(cost), which falls nearly linearly.
void Chain::findSize(int a, double share) {
  constexpr double kSlope = 0.8;  // ln of the factor by which one more function lowers the error, at first
  int n = store_.firstGuess(a), good = kLargestLadder, bad = smallest(a) - 1;
  while (good - bad > 1) {
    const double ratio = std::log(std::max(costAt(a, n), 1e-6 * share) / share);
    (ratio <= 0.0 ? good : bad) = n;
    const int step = static_cast<int>(std::lround(std::min(std::abs(ratio) / kSlope, 6.0)));
    n = ratio <= 0.0 ? n - std::max(1, step) : n + std::max(1, step);
    n = std::clamp(n, bad + 1, std::max(bad + 1, good - 1));
  }
  functions_[a] = good;
  const FittedLadder& ladder = store_.fit(a, good);
  const auto exponents = ladder.exponents();
  say(fmt::format("{}: {} functions from {:.4g} to {:.4g}, error {:.2e} (prolapse {:.0e})",
                  Symmetry::fromIndex(a).label(), good, exponents.front(), exponents.back(),
                  ladder.shortfall.rise / std::abs(limit_), ladder.shortfall.prolapse / std::abs(limit_)));
}

/// Expected error of the current sizes, hartree: what the reference lacks, and the rises.
double Chain::total() {
  double sum = std::max(field_.referenceEnergy() - limit_, 0.0);
  for (int a = 0; a < field_.symmetries(); ++a) sum += costAt(a, functions_[a]);
  return sum;
}

void Chain::fitAll(const std::vector<int>& functions) {
  pool_.forEach(field_.symmetries(), [&](int a, int) {
    const int n = functions[a];
    if (n > 0) store_.fit(a, n);
  });
}

void Chain::grow(double budget) {
  while (total() > budget) {
    std::vector<int> larger = functions_;
    for (int& n : larger) ++n;
    fitAll(larger);
    int best = -1;
    double most = 0.0;
    for (int a = 0; a < field_.symmetries(); ++a) {
      const double gain = costAt(a, functions_[a]) - costAt(a, functions_[a] + 1);
      if (gain > most) most = gain, best = a;
    }
    if (best < 0) return;  // rounding: no ladder gets better any more
    ++functions_[best];
  }
}

void Chain::shrink(double budget) {
  for (;;) {
    const auto canShrink = [&](int a) { return functions_[a] > smallest(a) && functions_[a] > 1; };
    std::vector<int> smaller = functions_;
    for (int a = 0; a < field_.symmetries(); ++a) smaller[a] = canShrink(a) ? functions_[a] - 1 : 0;
    fitAll(smaller);
    int best = -1;
    double least = budget - total();
    for (int a = 0; a < field_.symmetries(); ++a) {
      if (!canShrink(a)) continue;
      const double loss = costAt(a, functions_[a] - 1) - costAt(a, functions_[a]);
      if (loss <= least) least = loss, best = a;
    }
    if (best < 0) return;
    --functions_[best];
  }
}

/// The current sizes as a set, with its SCF energy.
ChainResult Chain::verify() {
  ChainResult result;
  for (int a = 0; a < field_.symmetries(); ++a) {
    const FittedLadder& ladder = store_.fit(a, functions_[a]);
    result.ladders.push_back(ladder);
    result.spec.groups.push_back(ladder.parameters);
    result.spec.functions.push_back(ladder.functions);
    result.spec.start.push_back(1);
    result.spec.group.push_back(a + 1);
  }
  const Result outcome = service_.evaluate(calculationIn(makeWellTempered(result.spec), task_.problem));
  ++scfRuns_;
  result.limit = limit_;
  result.energy = outcome.ok() ? outcome.energy.total : NAN;
  result.error = (result.energy - limit_) / std::abs(limit_);
  result.met = result.error >= 0.0 && result.error <= options_.threshold;
  say(fmt::format("{}: {} functions, expected error {:.2e}, SCF {}", sizesText(functions_),
                  functionsOf(result), total() / std::abs(limit_),
                  outcome.ok() ? fmt::format("{:.2e}", result.error) : outcome.reason));
  return result;
}

ChainResult Chain::run() {
  requireSensibleLimit(limit_, field_.referenceEnergy());
  const double scale = std::abs(limit_);
  const int count = field_.symmetries();
  functions_.assign(count, 0);
  say(fmt::format("limit {:.10f} hartree; reference of {} functions, error {:.1e}", limit_,
                  reference_.functions(), (field_.referenceEnergy() - limit_) / scale));
  double budget = kSafety * options_.threshold * scale;
  pool_.forEach(count, [&](int i, int) { findSize(count - 1 - i, 0.9 * budget / count); });
  ChainResult best;
  for (int attempt = 0; attempt < kLargestAttempts; ++attempt) {
    const std::vector<int> before = functions_;
    grow(budget);
    shrink(budget);
    if (attempt > 0 && functions_ == before) break;
    const ChainResult result = verify();
    if (better(result, best)) best = result;
    if (result.met && (result.error > kCloseEnough * options_.threshold || attempt >= 3)) break;
    const double ratio = options_.threshold / std::max(std::abs(result.error), 0.1 * options_.threshold);
    // What missed the threshold may have lain well within the budget.
    if (!result.met) budget = std::min(budget, total());
    budget *= std::isfinite(result.error) ? std::clamp(0.98 * ratio, 0.5, 2.0) : 0.5;
  }
  best.fits = store_.fits();
  best.evaluations = store_.evaluations();
  best.scfRuns = scfRuns_;
  return best;
}

}  // namespace

ChainResult runChain(const ChainTask& task, const ChainOptions& options, EnergyService& service,
                     const ChainLog& log) {
  const Stopwatch watch;
  if (!task.problem.hamiltonian.isFourComponent())
    throw Error("a chain of ladders works in frozen fields of hamiltonian='dirac'; found hamiltonian='" +
                nameOf(task.problem.hamiltonian.oneElectron) + "', for which method='thesis' can be used");
  ChainResult result = Chain(task, options, service, log).run();
  result.seconds = watch.seconds();
  return result;
}

namespace {

/// A limit that is further from the energy of a basis than this (relative) is another atom's, or no limit.
constexpr double kLargestMiss = 0.05;

}  // namespace

double chainLimit(const ChainTask& task, FinishedPieces& record) {
  if (task.limit) return *task.limit;
  std::optional<double> known;
  forPieces(record, kLimit, [&](const std::string& text) { known = limitOf(text); });
  if (known) return *known;
  const Result limit = compute({task.problem, LimitMethod{}}, {task.threads, nullptr, task.checkpoint});
  if (limit.status == Status::NotConverged)
    throw NotConvergedError("the numerical limit did not converge; give the energy of the limit instead");
  record.keep(kLimit, limitLine(limit.energy.total));
  return limit.energy.total;
}

void requireSensibleLimit(double limit, double energy) {
  if (std::abs(limit - energy) <= kLargestMiss * std::abs(energy)) return;
  throw Error(
      fmt::format("the limit {} hartree cannot be that of this atom: a large basis gives {:.6f} hartree; "
                  "correct it, or omit it so that it is computed",
                  limit, energy));
}

std::string sizesText(const std::vector<int>& functions) {
  std::string text;
  for (std::size_t a = 0; a < functions.size(); ++a)
    text +=
        fmt::format("{}{}{}", a ? " " : "", functions[a], Symmetry::fromIndex(static_cast<int>(a)).label());
  return text;
}

}  // namespace prophet

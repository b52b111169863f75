#include "bases/optimise/fit_store.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bases/optimise/ladder_search.hpp"
#include "bases/optimise/state_lines.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kFirstDelta = 5.0, kFirstGamma = 1.0;
constexpr std::pair<double, double> kOtherShapes[] = {{2.5, 0.4}, {8.0, 1.5}};  // delta, gamma
/// Part of the cost that a pass has to save for the next one to begin.
constexpr double kWorthAnother = 1e-2;

}  // namespace

FitStore::FitStore(const BasisTrials& field, const BasisSet& reference, const Settings& settings,
                   RecordLog& record)
    : field_(field), reference_(reference), settings_(settings), record_(record) {
  for (std::size_t i = 0; i < record.earlier().size(); ++i) load(i);
}

void FitStore::load(std::size_t number) {
  const std::string& text = record_.earlier()[number];
  if (kindOfLine(text) != "fit") return;
  try {
    const FitLine f = fitLineOf(text);
    recorded_[{f.symmetry, f.functions}] = {
        f.functions, {f.alpha, f.beta, f.delta, f.gamma}, {f.rise, f.prolapse}, f.evaluations};
  } catch (const Error& error) {
    record_.refuse(number, error.what());
  }
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
    record_.append(textOf(FitLine{symmetry, functions, p.alpha, p.beta, p.delta, p.gamma,
                                  ladder->shortfall.rise, ladder->shortfall.prolapse, ladder->evaluations}));
  }
  ++fits_;
  evaluations_ += ladder->evaluations;
  return known_[key] = *ladder;
}

}  // namespace prophet

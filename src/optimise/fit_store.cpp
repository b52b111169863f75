#include "optimise/fit_store.hpp"

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "optimise/state_lines.hpp"

namespace prophet {
namespace {

constexpr double kFirstDelta = 5.0, kFirstGamma = 1.0;

}  // namespace

FitStore::FitStore(const FrozenField& field, const BasisSet& reference, const Settings& settings,
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
  const auto at = ranges_.find(symmetry);
  if (at != ranges_.end()) return at->second;
  return ranges_[symmetry] = neededRange(field_, symmetry, reference_.symmetries[symmetry].exponents,
                                         settings_.rangeTolerance);
}

int FitStore::firstGuess(int symmetry) {
  const ExponentRange& r = range(symmetry);
  const int guess = 1 + static_cast<int>(std::lround(std::log(r.largest / r.smallest) / std::log(1.8)));
  return std::max(guess, field_.occupied(symmetry) + 2);
}

WellTemperedParameters FitStore::startFor(int symmetry, int functions) {
  const FittedLadder* nearest = nullptr;
  for (const auto& [key, ladder] : known_) {
    if (key.first != symmetry) continue;
    if (!nearest || std::abs(key.second - functions) < std::abs(nearest->functions - functions))
      nearest = &ladder;
  }
  return nearest ? resized(*nearest, functions)
                 : ladderOver(range(symmetry), functions, kFirstDelta, kFirstGamma);
}

const FittedLadder& FitStore::fit(int symmetry, int functions) {
  const std::pair<int, int> key{symmetry, functions};
  if (const auto at = known_.find(key); at != known_.end()) return at->second;
  ++fits_;
  FittedLadder ladder;
  if (const auto at = recorded_.find(key); at != recorded_.end()) {
    ladder = at->second;
  } else {
    ladder.parameters = startFor(symmetry, functions);
    int evaluations = 0;
    for (int pass = 0; pass < settings_.passes; ++pass) {
      ladder =
          fitLadder(field_, symmetry, functions, ladder.parameters, settings_.resolution, settings_.options);
      evaluations += ladder.evaluations;
    }
    ladder.evaluations = evaluations;
    const WellTemperedParameters& p = ladder.parameters;
    record_.append(textOf(FitLine{symmetry, functions, p.alpha, p.beta, p.delta, p.gamma,
                                  ladder.shortfall.rise, ladder.shortfall.prolapse, evaluations}));
  }
  evaluations_ += ladder.evaluations;
  return known_[key] = ladder;
}

}  // namespace prophet

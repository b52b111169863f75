#include "operations/spectra/nist_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "atoms/atom/ionisation_energies.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "operations/spectra/level_spinors.hpp"

namespace prophet {
namespace {

/// src/data/nist-levels.csv, put here in pieces by the build.
constexpr std::string_view kLevelPieces[] = {
#include "operations/spectra/nist_levels.inc"
};
/// src/data/nist-levels-complex.csv.
constexpr std::string_view kComplex[] = {
#include "operations/spectra/nist_levels_complex.inc"
};
/// src/data/nist-levels-suspects.csv: rows that are left out.
constexpr std::string_view kSuspects[] = {
#include "operations/spectra/nist_levels_suspects.inc"
};

/// Whether the outer shells that the table names are those of the configuration, and its others are closed.
bool names(const std::string& outer, const LevelSpace::Part& configuration) {
  std::vector<Shell> named;
  try {
    named = parseShells(outer);
  } catch (const ConfigurationError&) {
    return false;  // n above 20
  }
  std::size_t found = 0;
  for (const Shell& s : configuration.shells) {
    if (s.electrons == 0) continue;
    const auto same =
        std::find_if(named.begin(), named.end(), [&](const Shell& t) { return s.n == t.n && s.l == t.l; });
    if (s.twoJ != 0 || (same == named.end() ? !s.full() : same->electrons != s.electrons)) return false;
    found += same == named.end() ? 0 : 1;
  }
  return found == named.size();
}

/// Whether the row of an atom or ion and configuration cannot be right.
bool isSuspect(const CsvRow& row) {
  for (const std::string& line : linesOf(kSuspects)) {
    if (line.empty() || line.front() == '#') continue;
    const CsvRow suspect = parseCsv(line).front();
    if (std::equal(row.fields.begin(), row.fields.begin() + 4, suspect.fields.begin())) return true;
  }
  return false;
}

// In percent: what a level's term makes up at least, and a share of it that is more than a trace.
constexpr double kIsTerm = 50, kHasTerm = 25;
// Other levels are so many times as far away, and by this share of the energy.
constexpr double kClear = 2, kFar = 0.25;

/// The term without its parity, "3H" of "3Ho".
std::string withoutParity(const std::string& term) { return term.substr(0, term.find('o')); }

double shareOf(const std::string& term, const Level& level) {
  double share = 0;
  for (const LevelPart& part : level.terms)
    if (withoutParity(part.name) == term) share += part.percent;
  return share;
}

/// "3" of "3H".
std::string multiplicityOf(const std::string& term) {
  return term.substr(0, term.find_first_not_of("0123456789"));
}

/// Whether a level in the same place may be the known one: of its multiplicity, and with more than a trace of
/// its term.
bool mayBe(const NistLevel& known, const Level& level) {
  return known.term.empty() || level.terms.empty() ||
         (multiplicityOf(known.term) == multiplicityOf(level.terms.front().name) &&
          shareOf(known.term, level) >= kHasTerm);
}

/// Places of a computed and of a known level.
using Match = std::pair<std::size_t, std::size_t>;

/// Computed and known levels of one J, ascending.
struct SameJ {
  std::vector<std::size_t> computed, known;
};

/// Computed and known levels of one J that have one term.
std::vector<SameJ> byTerms(const SameJ& levels, const std::vector<NistLevel>& known,
                           const std::vector<Level>& computed) {
  std::map<std::string, SameJ> terms;
  for (const std::size_t k : levels.known)
    if (!known[k].term.empty()) terms[known[k].term].known.push_back(k);
  std::vector<SameJ> list;
  for (auto& [term, same] : terms) {
    for (const std::size_t i : levels.computed)
      if (shareOf(term, computed[i]) >= kHasTerm) same.computed.push_back(i);
    list.push_back(std::move(same));
  }
  return list;
}

/// The straight line that suits pairs of energies best; a slope of 0 where they say nothing.
struct EnergyLine {
  double slope = 0, zero = 0;
  double at(double x) const { return zero + slope * x; }
};

EnergyLine lineThrough(const std::vector<std::pair<double, double>>& points) {
  double x0 = 0, y0 = 0, product = 0, square = 0;
  for (const auto& [x, y] : points) {
    x0 += x / static_cast<double>(points.size());
    y0 += y / static_cast<double>(points.size());
  }
  for (const auto& [x, y] : points) {
    product += (x - x0) * (y - y0);
    square += (x - x0) * (x - x0);
  }
  const double slope = square > 0 ? product / square : 0;
  return {slope, y0 - slope * x0};
}

/// The most pairs of one J that keep the order on both sides; each computed and known level once.
std::vector<Match> inOrder(std::vector<Match> pairs) {
  std::ranges::sort(pairs);
  std::vector<std::size_t> length(pairs.size(), 1), before(pairs.size(), pairs.size());
  std::size_t last = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (std::size_t q = 0; q < p; ++q)
      if (pairs[q].first < pairs[p].first && pairs[q].second < pairs[p].second && length[q] >= length[p]) {
        length[p] = length[q] + 1;
        before[p] = q;
      }
    if (length[p] > length[last]) last = p;
  }
  std::vector<Match> kept;
  for (std::size_t p = last; p < pairs.size(); p = before[p]) kept.push_back(pairs[p]);
  return kept;
}

/// "2:35730.454;3:35818.713" with "3F;3F".
std::vector<NistLevel> levelsIn(const std::string& energies, const std::string& terms) {
  const std::vector<std::string> names = split(terms, ';');
  std::vector<NistLevel> levels;
  for (const std::string& level : split(energies, ';')) {
    const std::vector<std::string> parts = split(level, ':');
    levels.push_back(
        {twiceOf(parts[0]).value_or(0), parseDouble(parts[1]).value_or(0), names.at(levels.size())});
  }
  return levels;
}

}  // namespace

std::vector<NistLevel> allNistLevels(int z, int charge, const LevelSpace::Part& configuration) {
  std::vector<NistLevel> levels = nistLevels(z, charge, configuration);
  const std::string element = std::to_string(z) + ",";
  const auto wanted = electronsOf(configuration.shells);
  for (const std::string& line : linesOf(kComplex)) {
    if (!levels.empty()) break;
    if (!line.starts_with(element)) continue;
    const CsvRow row = parseCsv(line).front();
    if (parseDouble(row.fields[2]) != charge) continue;
    try {
      if (electronsOf(parseShells(row.fields[3])) != wanted) continue;
    } catch (const ConfigurationError&) {
      continue;  // n above 20
    }
    levels = levelsIn(row.fields[4], row.fields[5]);
  }
  return levels;
}

std::vector<NistLevel> nistLevels(int z, int charge, const LevelSpace::Part& configuration) {
  const std::string element = std::to_string(z) + ",";
  for (const std::string& line : linesOf(kLevelPieces)) {
    if (!line.starts_with(element)) continue;
    const CsvRow row = parseCsv(line).front();
    if (parseDouble(row.fields[2]) != charge || !names(row.fields[3], configuration)) continue;
    if (isSuspect(row)) return {};
    return levelsIn(row.fields[6], row.fields[7]);
  }
  return {};
}

std::vector<double> besideComputed(const std::vector<NistLevel>& known, const std::vector<Level>& levels,
                                   bool all) {
  std::vector<double> energies(levels.size(), std::nan(""));
  std::map<int, SameJ> ofJ;
  for (std::size_t i = 0; i < levels.size(); ++i) ofJ[levels[i].twoJ].computed.push_back(i);
  for (std::size_t k = 0; k < known.size(); ++k) ofJ[known[k].twoJ].known.push_back(k);
  const auto ours = [&](std::size_t i) {
    return levels[i].excitation * constants::kInverseCentimetresPerHartree;
  };
  const auto theirs = [&](std::size_t k) { return known[k].energy - known.front().energy; };
  // Those that are clear without their energies.
  std::map<int, std::vector<Match>> matches;
  std::vector<std::pair<double, double>> clear;  // their energies
  for (const auto& [twoJ, same] : ofJ) {
    std::vector<Match>& list = matches[twoJ];
    if (all && same.known.size() > same.computed.size()) continue;  // some are not of this configuration
    if (all && same.known.size() == same.computed.size())
      for (std::size_t n = 0; n < same.known.size(); ++n)
        if (mayBe(known[same.known[n]], levels[same.computed[n]]))
          list.emplace_back(same.computed[n], same.known[n]);
    for (const SameJ& term : byTerms(same, known, levels))
      if (term.computed.size() == 1 && term.known.size() == 1 &&
          shareOf(known[term.known.front()].term, levels[term.computed.front()]) >= kIsTerm)
        list.emplace_back(term.computed.front(), term.known.front());
    for (const auto& [i, k] : list) clear.emplace_back(ours(i), theirs(k));
  }
  const EnergyLine fitted = lineThrough(clear);
  for (const auto& [twoJ, same] : ofJ) {
    std::vector<Match>& list = matches[twoJ];
    const auto apart = [&](std::size_t i, std::size_t k) { return std::abs(fitted.at(ours(i)) - theirs(k)); };
    if (fitted.slope > 0 && !(all && same.known.size() >= same.computed.size()))
      for (const SameJ& term : byTerms(same, known, levels))
        for (const std::size_t i : term.computed)
          for (const std::size_t k : term.known) {
            if (term.computed.size() + term.known.size() == 2) continue;
            const auto isFar = [&](double distance) {
              return distance > kClear * apart(i, k) && distance > kFar * theirs(k);
            };
            const bool noDoubt =
                std::ranges::all_of(term.computed,
                                    [&](std::size_t o) { return o == i || isFar(apart(o, k)); }) &&
                std::ranges::all_of(term.known, [&](std::size_t o) { return o == k || isFar(apart(i, o)); });
            if (noDoubt && shareOf(known[k].term, levels[i]) >= kIsTerm) list.emplace_back(i, k);
          }
    for (const auto& [i, k] : inOrder(std::move(list))) energies[i] = theirs(k);
  }
  return energies;
}

KnownConfiguration knownConfiguration(int z, int charge, const LevelSpace::Part& configuration) {
  KnownConfiguration known{allNistLevels(z, charge, configuration)};
  if (!known.levels.empty() &&
      std::ranges::all_of(known.levels, [](const NistLevel& l) { return l.term.empty(); }))
    known.count = countLevels(levelSpace(configuration.text)).levels;
  return known;
}

std::vector<double> besideComputed(const std::vector<KnownConfiguration>& known,
                                   const std::vector<Level>& levels, bool mixed) {
  std::vector<double> energies(levels.size(), std::nan(""));
  for (std::size_t c = 0; c < known.size(); ++c) {
    if (known[c].levels.empty()) continue;
    const auto isOther = [&](const LevelPart& p) { return p.configuration != static_cast<int>(c); };
    std::vector<Level> own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      double share = 0;
      for (const LevelPart& p : levels[i].couplings) share += isOther(p) ? 0 : p.percent;
      if (levels[i].configuration != static_cast<int>(c) || (mixed && share < kIsTerm)) continue;
      places.push_back(i);
      own.push_back(levels[i]);
      if (mixed) std::erase_if(own.back().terms, isOther);
    }
    const bool whole = static_cast<double>(own.size()) == known[c].count;
    const std::vector<double> beside = besideComputed(known[c].levels, own, whole);
    for (std::size_t i = 0; i < own.size(); ++i)
      energies[places[i]] = known[c].levels.front().energy + beside[i];
  }
  return energies;
}

std::vector<double> besideComputed(int z, int charge, const LevelSpace& space, std::size_t references,
                                   const std::vector<Level>& levels, bool all) {
  const std::vector<LevelSpace::Part> named(space.configurations.begin(),
                                            space.configurations.begin() + static_cast<int>(references));
  const std::optional<NistIonisation> ion = nistIonisation(z, charge, named);
  double lowest = ion ? 0 : std::numeric_limits<double>::infinity();
  std::vector<KnownConfiguration> list;
  for (std::size_t c = 0; c < references; ++c) {
    const LevelCount count = countLevels(levelSpace(named[c].text));
    KnownConfiguration& known = list.emplace_back();
    known = {allNistLevels(z, charge, named[c]), all ? count.levels : 0};
    // A ground configuration with one level need not be in the table.
    if (known.levels.empty() && ion && ion->ground == c && count.levels == 1)
      known.levels = {{count.blocks.front().twoJ, 0, ""}};
    if (!known.levels.empty()) lowest = std::min(lowest, known.levels.front().energy);
  }
  std::vector<double> energies = besideComputed(list, levels, true);
  for (double& energy : energies) energy -= lowest;
  return energies;
}

std::optional<NistIonisation> nistIonisation(int z, int charge,
                                             const std::vector<LevelSpace::Part>& configurations) {
  const std::optional<NistIonisationEnergy> known = nistIonisationEnergy(z, charge);
  if (!known) return {};
  for (std::size_t i = 0; i < configurations.size(); ++i)
    if (names(known->configuration, configurations[i]))
      return NistIonisation{i, known->electronvolts / constants::kElectronvoltsPerHartree};
  return {};
}

}  // namespace prophet

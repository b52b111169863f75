#include "atoms/configurations/level_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "atoms/configurations/determinant_space.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/memory.hpp"

namespace prophet {
namespace {

// Estimates (docs/engineering/levels.md) count seconds for each move of a pair of electrons and for the
// coupled states of each determinant, and iterations.
constexpr double kSecondsOfMove = 2.5e-8, kSecondsOfState = 5e-6, kIterations = 12;

/// Numbers of determinants by M, M ascending from -most in steps of one.
struct CountsByM {
  int most = 0;  ///< 2M
  std::vector<double> counts{1};
};

CountsByM subshellCounts(int twoJ, int electrons) {
  std::vector<std::map<int, double>> of(usize(electrons) + 1);
  of[0][0] = 1;
  for (int m = -twoJ; m <= twoJ; m += 2)
    for (std::size_t n = of.size() - 1; n > 0; --n)
      for (const auto& [sum, count] : of[n - 1]) of[n][sum + m] += count;
  CountsByM result{of.back().rbegin()->first, {}};
  for (const auto& [sum, count] : of.back()) result.counts.push_back(count);
  return result;
}

CountsByM coupledCounts(const CountsByM& a, const CountsByM& b) {
  CountsByM both{a.most + b.most, std::vector<double>(a.counts.size() + b.counts.size() - 1, 0.0)};
  for (std::size_t i = 0; i < a.counts.size(); ++i)
    for (std::size_t j = 0; j < b.counts.size(); ++j) both.counts[i + j] += a.counts[i] * b.counts[j];
  return both;
}

/// Determinants of some configurations by parity and 2M.
using Census = std::map<std::pair<bool, int>, double>;

void addDeterminants(const LevelSpace& space, const RelativisticConfiguration& row,
                     std::map<std::pair<int, int>, CountsByM>& kept, Census& census) {
  CountsByM all;
  for (std::size_t s = 0; s < space.open.size(); ++s) {
    if (row.electrons[s] == 0) continue;
    const int twoJ = space.open[s].symmetry.twoJ();
    const auto [place, isNew] = kept.try_emplace({twoJ, row.electrons[s]});
    if (isNew) place->second = subshellCounts(twoJ, row.electrons[s]);
    all = coupledCounts(all, place->second);
  }
  const bool odd = space.configurations[usize(row.configuration)].odd;
  for (std::size_t i = 0; i < all.counts.size(); ++i)
    census[{odd, 2 * static_cast<int>(i) - all.most}] += all.counts[i];
}

/// Levels of this parity and J = M: determinants less those of M + 1.
double levelsOf(const Census& census, bool odd, int twoM) {
  const auto at = [&](int m) {
    const auto found = census.find({odd, m});
    return found == census.end() ? 0.0 : found->second;
  };
  return at(twoM) - at(twoM + 2);
}

/// Pairs of places that a pair of electrons can go to without changing M and parity, mean over all pairs.
double movesOfPair(const LevelSpace& space) {
  const std::vector<Place> places = placesOf(space);
  std::map<std::pair<int, int>, double> pairs;
  double count = 0, moves = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j)
      ++pairs[{places[i].twoM + places[j].twoM, (places[i].symmetry.l() + places[j].symmetry.l()) % 2}];
  for (const auto& [key, number] : pairs) {
    count += number;
    moves += number * number;
  }
  return count > 0 ? moves / count : 0;
}

/// Those of the space that two electrons of a determinant can make of it, M and parity kept.
void addConnected(const std::vector<Place>& places, std::vector<int> electrons,
                  const std::vector<int>& occupied, Determinant all,
                  const std::set<std::vector<int>>& allowed, std::set<Determinant>& found) {
  const auto place = [&](std::size_t p) -> const Place& { return places[p]; };
  const auto move = [&](const Place& p, int step) { electrons[usize(p.spinor)] += step; };
  for (const int i : occupied)
    for (const int j : occupied) {
      if (j <= i) continue;
      const Place &a = place(usize(i)), &b = place(usize(j));
      const Determinant without = all ^ (Determinant(1) << i) ^ (Determinant(1) << j);
      for (std::size_t k = 0; k < places.size(); ++k)
        for (std::size_t l = k + 1; l < places.size(); ++l) {
          const Place &c = place(k), &d = place(l);
          const Determinant both = Determinant(1) << k | Determinant(1) << l;
          if (c.twoM + d.twoM != a.twoM + b.twoM || (without & both) != 0 ||
              (a.symmetry.l() + b.symmetry.l() + c.symmetry.l() + d.symmetry.l()) % 2 != 0)
            continue;
          for (const Place* p : {&a, &b}) move(*p, -1);
          for (const Place* p : {&c, &d}) move(*p, 1);
          if (allowed.contains(electrons)) found.insert(without | both);
          for (const Place* p : {&a, &b}) move(*p, 1);
          for (const Place* p : {&c, &d}) move(*p, -1);
        }
    }
}

/// Determinants that one electron or two can leave a determinant for, within the space: mean over some random
/// ones, the same on every machine.
double connectedDeterminants(const LevelSpace& space) {
  constexpr int kSamples = 40;
  const std::vector<Place> places = placesOf(space);
  const std::vector<int> bits = firstBits(space.open);
  std::set<std::vector<int>> allowed;
  std::vector<double> sums;  // of the determinants of the distributions up to each one
  for (const RelativisticConfiguration& row : space.distributions) {
    allowed.insert(row.electrons);
    double count = 1;
    for (std::size_t s = 0; s < space.open.size(); ++s)
      for (int e = 0; e < row.electrons[s]; ++e)
        count *= (space.open[s].symmetry.degeneracy() - e) / (e + 1.0);
    sums.push_back(count + (sums.empty() ? 0 : sums.back()));
  }
  std::mt19937_64 random(1);
  std::set<Determinant> found;
  double total = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double at = sums.back() * (sample + 0.5) / kSamples;
    const RelativisticConfiguration& row =
        space.distributions[usize(std::ranges::lower_bound(sums, at) - sums.begin())];
    std::vector<int> occupied;
    Determinant all = 0;
    for (std::size_t s = 0; s < space.open.size(); ++s) {
      int left = row.electrons[s];
      for (int b = bits[s]; b < bits[s + 1]; ++b) {
        if (random() % static_cast<unsigned>(bits[s + 1] - b) >= static_cast<unsigned>(left)) continue;
        --left;
        occupied.push_back(b);
        all |= Determinant(1) << b;
      }
    }
    found.clear();
    addConnected(places, row.electrons, occupied, all, allowed, found);
    total += static_cast<double>(found.size());
  }
  return total / kSamples;
}

/// `movesOfState`: of all pairs of electrons, those that keep M and parity; `elementsOfRow`: of the
/// Hamiltonian between determinants.
void estimateBlock(const LevelCount::Block& block, double movesOfState, double elementsOfRow,
                   LevelCount& result) {
  const double n = block.levels, d = block.determinants;
  if (!block.isSparse()) {
    // The Hamiltonian, its vectors, L^2 and S^2 and what LAPACK takes beside them; determinants with the
    // elements of a row.
    result.bytes = std::max(result.bytes, 8 * 6.0 * n * n + 16 * 300.0 * d);
    result.seconds += 2e-9 * n * n * n + 3e-5 * d;
    return;
  }
  const double row = 0.5 * std::min(d, elementsOfRow), search = 8 * block.wanted + 24;
  // The upper triangle of the Hamiltonian, which grows by doubling; coupled states with their labels; the
  // search space with its products, Ritz vectors and residuals.
  result.bytes = std::max(result.bytes, 24 * row * d + 600 * (d + n) + 8 * 6 * search * n);
  result.seconds += (kSecondsOfMove * movesOfState + kSecondsOfState) * d +
                    kIterations * (block.wanted * 4e-9 * row * d + 1.5e-9 * n * search * search);
}

}  // namespace

LevelCount countLevels(const LevelSpace& space, const WantedLevels& wanted) {
  Census census, references;
  std::map<std::pair<int, int>, CountsByM> kept;
  for (const RelativisticConfiguration& row : space.distributions) {
    addDeterminants(space, row, kept, census);
    if (row.configuration < wanted.references) addDeterminants(space, row, kept, references);
  }
  const double electrons = space.openElectrons();
  const double movesOfState = 0.5 * electrons * (electrons - 1) * movesOfPair(space);
  const double elementsOfRow = wanted.all() ? 0 : connectedDeterminants(space);
  LevelCount result;
  for (const auto& [key, count] : census) {
    const auto& [odd, twoM] = key;
    if (twoM < 0) continue;
    LevelCount::Block block{twoM, odd, levelsOf(census, odd, twoM), count};
    block.references = wanted.all() ? block.levels : levelsOf(references, odd, twoM);
    if (block.references < 0.5) continue;
    block.wanted = wanted.roots > 0 ? std::min<double>(wanted.roots, block.levels) : block.references;
    result.blocks.push_back(block);
    result.levels += block.levels;
    if (block.levels > result.largest.levels) result.largest = block;
    estimateBlock(block, movesOfState, elementsOfRow, result);
  }
  return result;
}

LevelCount requireMemory(const LevelSpace& space, const WantedLevels& wanted) {
  LevelCount count = countLevels(space, wanted);
  const double available = kMemoryShare * availableMemory();
  if (count.bytes <= available) return count;
  throw Error(fmt::format(
      "the configurations have {:.6g} states in {:.6g} levels, up to {:.6g} of one J; these need {:.3g} GB "
      "of memory, this process may have {:.3g} GB, and about {:.2g} hours; {}",
      space.states(), count.levels, count.largest.levels, 1e-9 * count.bytes, 1e-9 * available,
      count.seconds / 3600,
      wanted.all() ? "name fewer configurations, or shells with fewer open places"
                   : "name fewer virtual or excited shells, or excite one electron only"));
}

}  // namespace prophet

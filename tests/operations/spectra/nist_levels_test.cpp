#include "operations/spectra/nist_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/text.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

/// A configuration of the table.
struct TableIon {
  std::string name;  ///< "26 0 3d6 4s2"
  bool complete = false, suspect = false;
  std::vector<NistLevel> levels;
};

std::vector<TableIon> rowsOfTable() {
  const std::string folder = std::string(PROPHET_SOURCE_DIR) + "/src/data/";
  const std::vector<CsvRow> suspects = readCsv(folder + "nist-levels-suspects.csv");
  std::vector<TableIon> rows;
  for (const CsvRow& row : readCsv(folder + "nist-levels.csv")) {
    if (row.fields[0] == "Z") continue;
    TableIon& r = rows.emplace_back();
    r.name = row.fields[0] + " " + row.fields[2] + " " + row.fields[3];
    r.complete = row.fields[5] == "yes";
    r.suspect = std::ranges::any_of(suspects, [&](const CsvRow& other) {
      return std::equal(row.fields.begin(), row.fields.begin() + 4, other.fields.begin());
    });
    const std::vector<std::string> terms = split(row.fields[7], ';');
    for (const std::string& level : split(row.fields[6], ';')) {
      const std::vector<std::string> parts = split(level, ':');
      r.levels.push_back({*twiceOf(parts[0]), *parseDouble(parts[1]), terms.at(r.levels.size())});
    }
  }
  return rows;
}

/// Levels as they would be computed, wrong by up to this share of their energy, each with its place in the
/// table. Those of one J and term keep their order, as the eigenvalues of one matrix do.
struct Computed {
  std::vector<Level> levels;
  std::vector<std::size_t> known;
};

Computed computedLevels(const std::vector<NistLevel>& known, double error, std::mt19937& random) {
  std::uniform_real_distribution<double> wrong(1.2 - error, 1.2 + error);
  std::vector<std::pair<Level, std::size_t>> made;
  std::map<std::pair<int, std::string>, std::vector<double>> energies;
  for (const NistLevel& l : known)
    energies[{l.twoJ, l.term}].push_back((l.energy - known.front().energy) * wrong(random) /
                                         constants::kInverseCentimetresPerHartree);
  for (auto& [term, list] : energies) std::ranges::sort(list, std::ranges::greater{});
  for (std::size_t k = 0; k < known.size(); ++k) {
    Level l;
    l.twoJ = known[k].twoJ;
    std::vector<double>& own = energies[{l.twoJ, known[k].term}];
    l.excitation = own.back();
    own.pop_back();
    if (!known[k].term.empty()) l.terms = {{known[k].term + "o", 90, 0}};
    made.emplace_back(l, k);
  }
  std::ranges::stable_sort(made, {}, [](const auto& m) { return m.first.excitation; });
  Computed all;
  for (const auto& [level, k] : made) {
    all.levels.push_back(level);
    all.known.push_back(k);
  }
  return all;
}

TEST(NistLevels, OfTheTableAscendAndHaveTheirTerms) {
  std::set<std::string> ions;
  std::size_t levels = 0, withTerms = 0;
  for (const TableIon& row : rowsOfTable()) {
    ions.insert(row.name.substr(0, row.name.find(' ', row.name.find(' ') + 1)));
    for (std::size_t k = 0; k < row.levels.size(); ++k) {
      ++levels;
      withTerms += row.levels[k].term.empty() ? 0 : 1;
      if (k > 0) {
        EXPECT_LE(row.levels[k - 1].energy, row.levels[k].energy) << row.name;
      }
    }
  }
  EXPECT_EQ(ions.size(), 841U);
  EXPECT_EQ(levels, 13573U);
  EXPECT_EQ(withTerms, 13050U);
}

TEST(NistLevels, OfEveryConfigurationStandBesideThemselves) {
  std::mt19937 random(5);
  for (const TableIon& row : rowsOfTable()) {
    const Computed c = computedLevels(row.levels, 0, random);
    const std::vector<double> found = besideComputed(row.levels, c.levels, row.complete);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const NistLevel& own = row.levels[c.known[i]];
      if (row.complete || std::isfinite(found[i])) {
        EXPECT_EQ(found[i], own.energy - row.levels.front().energy) << row.name << " " << i;
      }
    }
  }
}

TEST(NistLevels, AreNeverThoseOfAnotherLevel) {
  // With energies wrong by up to 10 %, every third level unknown to the table, and of all ions: what stands
  // beside a level has its J and term, or stands in its place where all of its J are known. Counted from the
  // lowest known one.
  std::mt19937 random(7);
  std::bernoulli_distribution isKnown(0.67);
  std::size_t shown = 0, all = 0, wrong = 0;
  for (const TableIon& row : rowsOfTable()) {
    const Computed c = computedLevels(row.levels, 0.1, random);
    std::vector<NistLevel> known;
    for (const NistLevel& l : row.levels)
      if (isKnown(random)) known.push_back(l);
    if (known.empty() || row.suspect) continue;
    const std::vector<double> found = besideComputed(known, c.levels, true);
    std::map<int, double> last;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const NistLevel& own = row.levels[c.known[i]];
      all += std::ranges::count_if(known, [&](const NistLevel& l) {
        return l.twoJ == own.twoJ && l.energy == own.energy && l.term == own.term;
      });
      if (!std::isfinite(found[i])) continue;
      ++shown;
      const double energy = found[i] + known.front().energy;
      if (own.term.empty()) continue;
      EXPECT_TRUE(std::ranges::any_of(known,
                                      [&](const NistLevel& l) {
                                        return l.twoJ == own.twoJ && l.term == own.term &&
                                               std::abs(l.energy - energy) < 1e-6;
                                      }))
          << row.name << " " << halves(own.twoJ) << " " << own.term;
      wrong += std::abs(energy - own.energy) > 1e-6;
      const auto [before, isFirst] = last.try_emplace(own.twoJ, found[i]);
      EXPECT_TRUE(isFirst || before->second <= found[i]) << row.name;
      before->second = found[i];
    }
  }
  EXPECT_GT(shown, 0.8 * all) << shown << " of " << all;
  EXPECT_EQ(wrong, 0U) << "of " << shown;
}

/// The database has no terms of lead: where all levels of the configuration were computed, their order tells.
TEST(NistLevels, WithoutTermsStandBesideTheLevelsOfTheirOrder) {
  const LevelSpace lead = levelSpace("[Xe] 4f14 5d10 6s2 6p2"), tin = levelSpace("[Kr] 4d10 5s2 5p2");
  const KnownConfiguration known = knownConfiguration(82, 0, lead.configurations.front());
  EXPECT_EQ(known.count, 5);
  EXPECT_EQ(knownConfiguration(50, 0, tin.configurations.front()).count, 0);
  std::vector<Level> levels;
  for (const NistLevel& k : known.levels) {
    levels.emplace_back();
    levels.back().twoJ = k.twoJ;
    levels.back().excitation = 0.95 * k.energy / constants::kInverseCentimetresPerHartree;
    levels.back().terms = {{k.twoJ == 2 ? "3P" : "1S", 60, 0}};
  }
  const std::vector<double> found = besideComputed({known}, levels, false);
  ASSERT_EQ(found.size(), 5U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], known.levels[i].energy) << i;
  // Where one is missing nobody knows which.
  levels.erase(levels.begin() + 2);
  for (const double energy : besideComputed({known}, levels, false)) EXPECT_TRUE(std::isnan(energy));
}

TEST(NistLevels, OfIronAreThereAlthoughHigherOnesAreUnknown) {
  const auto known = nistLevels(26, 0, LevelSpace::Part{parseShells("[Ar] 3d6 4s2"), "", false, 210});
  ASSERT_EQ(known.size(), 23U);
  EXPECT_EQ(known.front().term, "5D");
  EXPECT_EQ(known[6].term, "3H");
  EXPECT_EQ(known[6].energy, 19390.168);
}

}  // namespace
}  // namespace prophet

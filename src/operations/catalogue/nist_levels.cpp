#include "operations/catalogue/nist_levels.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// docs/data/nist-levels.csv, put here in pieces by the build.
constexpr std::string_view kPieces[] = {
#include "operations/catalogue/nist_levels.inc"
};
/// docs/data/nist-levels-suspects.csv: rows that are left out.
constexpr std::string_view kSuspects[] = {
#include "operations/catalogue/nist_levels_suspects.inc"
};

/// docs/data/nist-ionisation-energies.csv.
constexpr std::string_view kIonisation[] = {
#include "operations/catalogue/nist_ionisation_energies.inc"
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

/// The lines of a file that the build has put here.
std::vector<std::string> linesOf(std::span<const std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return split(text, '\n');
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

}  // namespace

std::vector<std::pair<int, double>> nistLevels(int z, int charge, const LevelSpace::Part& configuration) {
  const std::string element = std::to_string(z) + ",";
  for (const std::string& line : linesOf(kPieces)) {
    if (!line.starts_with(element)) continue;
    const CsvRow row = parseCsv(line).front();
    if (parseDouble(row.fields[2]) != charge || !names(row.fields[3], configuration)) continue;
    if (isSuspect(row)) return {};
    std::vector<std::pair<int, double>> levels;
    for (const std::string& level : split(row.fields[6], ';')) {
      const std::vector<std::string> parts = split(level, ':');
      levels.emplace_back(twiceOf(parts[0]).value_or(0), parseDouble(parts[1]).value_or(0));
    }
    return levels;
  }
  return {};
}

std::optional<NistIonisation> nistIonisation(int z, int charge,
                                             const std::vector<LevelSpace::Part>& configurations) {
  const std::string element = std::to_string(z) + ",";
  for (const std::string& line : linesOf(kIonisation)) {
    if (!line.starts_with(element)) continue;
    const CsvRow row = parseCsv(line).front();
    const auto energy = parseDouble(row.fields[5]);
    if (parseDouble(row.fields[2]) != charge || !energy) continue;
    for (std::size_t i = 0; i < configurations.size(); ++i)
      if (names(row.fields[3], configurations[i]))
        return NistIonisation{i, *energy / constants::kElectronvoltsPerHartree};
  }
  return {};
}

}  // namespace prophet

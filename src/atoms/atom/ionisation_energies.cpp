#include "atoms/atom/ionisation_energies.hpp"

#include <string_view>

#include "core/common/csv.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// src/data/nist-ionisation-energies.csv, put here in pieces by the build.
constexpr std::string_view kPieces[] = {
#include "atoms/atom/nist_ionisation_energies.inc"
};

}  // namespace

std::optional<NistIonisationEnergy> nistIonisationEnergy(int z, int charge) {
  const std::string element = std::to_string(z) + ",";
  for (const std::string& line : linesOf(kPieces)) {
    if (!line.starts_with(element)) continue;
    const CsvRow row = parseCsv(line).front();
    const auto energy = parseDouble(row.fields[5]);
    if (parseDouble(row.fields[2]) != charge || !energy) continue;
    return NistIonisationEnergy{row.fields[3], *energy, parseDouble(row.fields[6]), row.fields[7]};
  }
  return {};
}

}  // namespace prophet

#include "atoms/atom/atomic_masses.hpp"

#include <cmath>
#include <string_view>

#include "core/common/csv.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// src/data/atomic-masses.csv, put here in pieces by the build.
constexpr std::string_view kMasses[] = {
#include "atoms/atom/atomic_masses.inc"
};
constexpr double kElectronvoltsPerDalton = 931.49410372e6;  // CODATA 2022

}  // namespace

std::optional<double> atomicMass(int z, int massNumber) {
  const std::string element = std::to_string(z) + ",";
  for (const std::string& line : linesOf(kMasses)) {
    if (!line.starts_with(element)) continue;
    const CsvRow row = parseCsv(line).front();
    if (parseDouble(row.fields[2]) == massNumber) return parseDouble(row.fields[3]);
  }
  return {};
}

std::optional<double> nuclearMass(int z, int massNumber) {
  const std::optional<double> atom = atomicMass(z, massNumber);
  if (!atom) return {};
  const double binding = 14.4381 * std::pow(z, 2.39) + 1.55468e-6 * std::pow(z, 5.35);
  return *atom - z * kElectronMass + binding / kElectronvoltsPerDalton;
}

}  // namespace prophet

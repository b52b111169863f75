#include "bases/collections/second_order_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {

namespace {

std::map<int, SecondOrderLimit> readLimits(const std::filesystem::path& file) {
  constexpr const char* kColumns = "Z,energy_hartree,estimated_error_hartree";
  std::map<int, SecondOrderLimit> limits;
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) return limits;
  const std::vector<CsvRow> table = readCsv(file.string());
  if (table.empty() || fmt::format("{}", fmt::join(table.front().fields, ",")) != kColumns)
    throw Error(fmt::format("{}:1: error: expected the columns {}", file.string(), kColumns));
  for (std::size_t i = 1; i < table.size(); ++i) {
    const std::vector<std::string>& f = table[i].fields;
    try {
      if (f.size() != 3) throw Error(fmt::format("expected 3 fields, found {}", f.size()));
      const double z = numberOf(f[0]);
      if (z < 1 || z > kLastElement) throw Error("expected a nuclear charge from 1 to 118");
      limits[static_cast<int>(z)] = {numberOf(f[1]), numberOf(f[2])};
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: error: {}", file.string(), table[i].line, e.what()));
    }
  }
  return limits;
}

}  // namespace

std::map<int, SecondOrderLimit> readSecondOrderLimits(const std::filesystem::path& basisSets) {
  return readLimits(basisSetFolder(basisSets) / "second-order.csv");
}

std::map<int, SecondOrderLimit> readCoreValenceLimits(const std::filesystem::path& basisSets) {
  return readLimits(basisSetFolder(basisSets) / "core-valence-limits.csv");
}

}  // namespace prophet

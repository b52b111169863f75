#include "atoms/atom/nuclear_moments.hpp"

#include <string>
#include <string_view>

#include "core/common/csv.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// src/data/nuclear-moments.csv, put here in pieces by the build.
constexpr std::string_view kMoments[] = {
#include "atoms/atom/nuclear_moments.inc"
};

}  // namespace

NuclearMoments nuclearMoments(int z, int massNumber) {
  const std::string element = std::to_string(z) + ",";
  for (const std::string& line : linesOf(kMoments)) {
    if (!line.starts_with(element)) continue;
    const CsvRow row = parseCsv(line).front();
    if (parseDouble(row.fields[2]) == massNumber)
      return {parseDouble(row.fields[4]), parseDouble(row.fields[3]), parseDouble(row.fields[6])};
  }
  return {};
}

}  // namespace prophet

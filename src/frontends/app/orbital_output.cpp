#include "frontends/app/orbital_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "atoms/properties/density.hpp"
#include "core/common/csv.hpp"
#include "core/common/number.hpp"
#include "core/common/read_file.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/report/orbital_table.hpp"

namespace prophet {
namespace {

Eigen::VectorXd radiiOfFile(const std::string& path) {
  std::vector<double> radii;
  const std::vector<CsvRow> rows = readCsv(path);
  for (const CsvRow& row : rows) {
    const std::string field = trimmed(row.fields.front());
    const std::optional<double> r = parseDouble(field);
    if (!r && &row == &rows.front()) continue;  // a heading
    if (!r || !(*r >= 0) || !std::isfinite(*r))
      throw Error(fmt::format("line {}: '{}' is no radius in bohr", row.line, field));
    radii.push_back(*r);
  }
  if (radii.empty()) throw Error("there are no radii in it");
  return Eigen::Map<Eigen::VectorXd>(radii.data(), static_cast<Eigen::Index>(radii.size()));
}

}  // namespace

Eigen::VectorXd parseOrbitalGrid(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() == 3) {
    const auto start = parseDouble(parts[0]), stop = parseDouble(parts[1]), count = parseDouble(parts[2]);
    if (start && stop && count) {
      if (*count != std::floor(*count) || !(std::abs(*count) < 1e9))
        throw UsageError("--orbital-grid: COUNT is a whole number, not '" + parts[2] + "'");
      try {
        return logarithmicRadii(*start, *stop, static_cast<int>(*count));
      } catch (const Error& e) {
        throw UsageError(std::string("--orbital-grid: ") + e.what());
      }
    }
  }
  try {
    return radiiOfFile(text);
  } catch (const ResourceError&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(
        fmt::format("--orbital-grid takes START:STOP:COUNT or a file of radii; '{}': {}", text, e.what()));
  }
}

std::string orbitalsText(const std::string& file, const ResolvedJob& job, const Result& result,
                         const Eigen::VectorXd& radii) {
  if (!result.wavefunction)
    throw Error("--orbitals: there are no radial functions to write, because the calculation is " +
                std::string(nameOf(result.status)) + "; " + file + " is not written");
  return orbitalTable(kVersion, job, result, radii.size() > 0 ? radii : defaultRadii(*result.wavefunction));
}

}  // namespace prophet

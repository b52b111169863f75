#include "matter/powder/measured_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "matter/powder/gsas_file.hpp"

namespace prophet {
namespace {

const std::vector<std::string> kNamesOfQ = {"q",      "|q|",    "q_a^-1", "q/a^-1", "q_1/a",
                                            "q_å^-1", "q/å^-1", "q/1/a",  "q_a-1",  "q_inv_a",
                                            "qa^-1",  "q_Å^-1", "q/Å^-1"},
                               kNamesOfTwoTheta = {"2theta",  "two_theta",  "twotheta",     "tth", "2th",
                                                   "2-theta", "2_theta",    "ttheta",       "2θ",  "2th_deg",
                                                   "tth_deg", "2theta_deg", "two_theta_deg"},
                               kNamesOfIntensity = {"i",   "intensity", "intensities", "counts",
                                                    "cts", "iobs",      "i_obs",       "yobs",
                                                    "y",   "i(q)",      "int"},
                               kNamesOfSigma = {"sigma", "sig", "error",  "errors", "err", "esd",
                                                "di",    "e",   "stddev", "std",    "s",   "sigma_i"},
                               kPlain = {"x"},  ///< says nothing
    kOtherNames = {"d",      "s",   "r",   "theta", "sin/lambda", "stol", "angle",
                   "energy", "kev", "tof", "time",  "channel",    "pixel"},
                               kUnitsOfQ = {"1/a",
                                            "a-1",
                                            "a⁻¹",
                                            "1/å",
                                            "å-1",
                                            "å⁻¹",
                                            "1/Å",
                                            "Å-1",
                                            "Å⁻¹",
                                            "1/angstrom",
                                            "1/ang",
                                            "ang-1",
                                            "angstrom-1",
                                            "1/angstroms",
                                            "inverseangstrom",
                                            "inverseangstroms"},
                               kUnitsOfAngles = {"deg", "deg.", "degree", "degrees", "°"};

bool isIn(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

/// What stands in the first brackets of a line, as units are compared; empty without brackets.
std::string unitIn(const std::string& line) {
  const std::size_t open = line.find_first_of("([");
  if (open == std::string::npos) return "";
  const std::size_t close = line.find_first_of(")]", open);
  std::string unit;
  for (const char c : line.substr(open + 1, close == std::string::npos ? close : close - open - 1))
    if (std::string_view(" \t^{}$\\*").find(c) == std::string_view::npos) unit += c;
  return unit;
}

/// A line before the rows that names the first column, or all of them: everything in it must be understood.
/// Returns the name of the first column; empty for a line that names none.
std::string headingOf(const std::string& line, std::size_t columns, const std::string& place,
                      const std::string& expected) {
  std::vector<std::string> names = columnNames(line);
  if (names.empty()) return "";
  if (names.size() > 1 && names[1] == "angle" &&
      isIn(kNamesOfTwoTheta, names[0]))  // "2-Theta Angle" of Fit2D
    names.erase(names.begin() + 1);
  const std::vector<const std::vector<std::string>*> known{&kNamesOfQ, &kNamesOfTwoTheta, &kNamesOfIntensity,
                                                           &kNamesOfSigma, &kOtherNames};
  const auto isKnown = [&](const std::string& name) {
    return std::ranges::any_of(known, [&](const auto* list) { return isIn(*list, name); });
  };
  const bool isQ = isIn(kNamesOfQ, names[0]), isAngle = isIn(kNamesOfTwoTheta, names[0]);
  const bool isHeading = names.size() == columns && std::ranges::any_of(names, isKnown);
  if (!isHeading && !isQ && !isAngle) return "";
  const auto has = [&](const char* unit) { return line.find(unit) != std::string::npos; };
  if (has("1/nm") || has("nm^") || has("nm-1") || has("nm⁻¹"))
    throw Error(fmt::format("{}: found the unit 1/nm; expected q in 1/angstrom, a tenth of that", place));
  if (isHeading && !isQ && !isAngle && !isIn(kPlain, names[0]))
    throw Error(fmt::format("{}: the first column is called '{}'; expected {}", place, names[0], expected));
  for (std::size_t i = 1; isHeading && i < names.size(); ++i)
    if (!isIn(i == 1 ? kNamesOfIntensity : kNamesOfSigma, names[i]))
      throw Error(fmt::format("{}: found the name '{}' of column {}; expected the columns {}, in this order",
                              place, names[i], i + 1, expected));
  const std::string unit = unitIn(line.substr(line.find(names[0]) + names[0].size()));
  const std::size_t bracket = line.find_first_of("([");
  const bool ofFirst =
      names.size() < 2 || bracket < line.find(names[1], line.find(names[0]) + names[0].size());
  if (!unit.empty() && ofFirst && !isIn(isQ ? kUnitsOfQ : kUnitsOfAngles, unit) && (isQ || isAngle))
    throw Error(fmt::format("{}: found the unit '{}' of {}; expected {}", place, unit, names[0],
                            isQ ? "1/angstrom" : "degrees"));
  return names[0];
}

void requireRow(const NumberRows& table, std::size_t i) {
  const std::vector<double>& row = table.rows[i];
  if (row[1] < 0) table.refuse(i, fmt::format("found the intensity {:g}", row[1]), "0 or more");
  if (table.columns == 3 && !(row[2] > 0))
    table.refuse(i, fmt::format("found the standard deviation {:g}", row[2]), "a number above 0");
}

}  // namespace

MeasuredPattern readMeasuredPattern(const std::string& path, double from, double to) {
  const std::string expected = "q or 2 theta, the intensity and, if known, its standard deviation";
  if (isGsasFile(path)) return readGsasFile(path, from, to);
  const NumberRows table = readNumberRows(path, 2, 3, expected);
  MeasuredPattern p;
  p.place = fmt::format("{}:{}", path, table.headingLine);
  for (const auto& [line, number] : table.before) {
    const std::string place = fmt::format("{}:{}", path, number);
    const std::string name = headingOf(line, table.columns, place, expected);
    if (name.empty()) continue;
    p.heading = name;
    p.place = place;
  }
  std::vector<std::size_t> kept;
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double x = table.rows[i][0];
    if (x <= last)
      table.refuse(i, fmt::format("found {:g} after {:g} in the first column", x, last),
                   "values that ascend");
    last = x;
    if (x < from || x > to) continue;
    requireRow(table, i);
    kept.push_back(i);
  }
  if (kept.size() < 2)
    throw Error(fmt::format("{}: has {} row{} in the range asked for; expected at least 2", path, kept.size(),
                            kept.size() == 1 ? "" : "s"));
  const auto size = static_cast<Eigen::Index>(kept.size());
  p.x.resize(size);
  p.intensity.resize(size);
  p.sigma.resize(table.columns == 3 ? size : 0);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::vector<double>& row = table.rows[kept[static_cast<std::size_t>(i)]];
    p.x(i) = row[0];
    p.intensity(i) = row[1];
    if (table.columns == 3) p.sigma(i) = row[2];
  }
  return p;
}

void requireAxis(const MeasuredPattern& p, bool isQ) {
  if (isIn(isQ ? kNamesOfTwoTheta : kNamesOfQ, p.heading))
    throw Error(fmt::format("{}: the first column is called '{}', and {} is expected; {}", p.place, p.heading,
                            isQ ? "q in 1/angstrom" : "2 theta in degrees",
                            isQ ? "say axis two_theta and the wavelength" : "say axis q"));
}

Eigen::VectorXd sigmaOfCounts(const Eigen::VectorXd& intensity) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : intensity)
    if (value > 0) smallest = std::min(smallest, value);
  if (!std::isfinite(smallest)) throw Error("all intensities are 0; expected a pattern");
  return intensity.cwiseMax(smallest).cwiseSqrt();
}

}  // namespace prophet

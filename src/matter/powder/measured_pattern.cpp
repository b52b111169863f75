#include "matter/powder/measured_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

const std::vector<std::string> kNamesOfQ = {"q", "q_a^-1", "q/a^-1"},
                               kNamesOfTwoTheta = {"2theta",  "two_theta", "twotheta", "tth", "2th",
                                                   "2-theta", "2_theta",   "ttheta",   "2θ"},
                               kOtherNames = {"d",      "s",   "r",   "theta", "sin/lambda", "stol",
                                              "energy", "kev", "tof", "time",  "channel",    "pixel"};

void requireRow(const NumberRows& table, std::size_t i) {
  const std::vector<double>& row = table.rows[i];
  if (row[1] < 0) table.refuse(i, fmt::format("found the intensity {:g}", row[1]), "0 or more");
  if (table.columns == 3 && !(row[2] > 0))
    table.refuse(i, fmt::format("found the standard deviation {:g}", row[2]), "a number above 0");
}

}  // namespace

MeasuredPattern readMeasuredPattern(const std::string& path, double from, double to) {
  const std::string expected = "q or 2 theta, the intensity and, if known, its standard deviation";
  const NumberRows table = readNumberRows(path, 2, 3, expected);
  std::vector<std::string> places = kNamesOfQ;
  places.insert(places.end(), kNamesOfTwoTheta.begin(), kNamesOfTwoTheta.end());
  table.requireOrder({places,
                      {"i", "intensity", "intensities", "counts", "cts", "iobs", "i_obs", "yobs", "y"},
                      {"sigma", "sig", "error", "errors", "err", "esd", "di", "e", "stddev", "std"}},
                     expected);
  MeasuredPattern p;
  p.place = fmt::format("{}:{}", path, table.headingLine);
  if (!table.heading.empty()) p.heading = table.heading[0];
  for (const char* unit : {"1/nm", "nm-1", "nm^-1", "nm^{-1}", "nm⁻¹"})
    if (table.headingText.find(unit) != std::string::npos)
      throw Error(
          fmt::format("{}: found the unit {}; expected q in 1/angstrom, a tenth of that", p.place, unit));
  if (std::ranges::find(kOtherNames, p.heading) != kOtherNames.end())
    throw Error(
        fmt::format("{}: the first column is called '{}'; expected {}", p.place, p.heading, expected));
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
  const std::vector<std::string>& other = isQ ? kNamesOfTwoTheta : kNamesOfQ;
  if (std::ranges::find(other, p.heading) != other.end())
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

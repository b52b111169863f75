#include <fmt/format.h>

#include "atoms/properties/properties.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

PropertyTable energiesTable(const PropertySource& s) {
  const Properties& p = s.known;
  return {.key = "energies",
          .form = PropertyForm::Numbers,
          .columns = {{"one_electron_energy", "hartree"}, {"two_electron_energy", "hartree"}},
          .rows = {{"", {p.oneElectron, p.twoElectron}}},
          .lines = {{"one-electron energy", fmt::format("{:.10f} hartree", p.oneElectron)},
                    {"two-electron energy", fmt::format("{:.10f} hartree", p.twoElectron)}}};
}

/// "15048.529 +- 0.0045".
std::string uncertain(double value, const std::optional<double>& error) {
  return error ? fmt::format("{} +- {:.2g}", withinError(value, *error), *error)
               : fmt::format("{:.4g} (error unknown)", value);
}

Lines nucleusLines(const NuclearRegion& n) {
  Lines lines;
  if (n.density)
    lines.emplace_back("density at the nucleus", fmt::format("{} electrons/bohr^3; mean over the nucleus {}",
                                                             uncertain(*n.density, n.densityError),
                                                             uncertain(*n.meanDensity, n.meanDensityError)));
  if (n.potential) {
    const bool point = !n.density;
    lines.emplace_back("potential at the nucleus",
                       fmt::format("{:.8f} hartree/e", *n.potential) +
                           (point ? "" : fmt::format("; mean over the nucleus {:.8f}", *n.meanPotential)));
  }
  if (n.energySlope)
    lines.emplace_back("dE/d<r^2> of the nucleus",
                       uncertain(*n.energySlope, n.energySlopeError) + " hartree/bohr^2");
  return lines;
}

PropertyTable nucleusTable(const PropertySource& s) {
  const NuclearRegion& n = s.known.nucleus;
  return {.key = "nucleus",
          .form = PropertyForm::Object,
          .columns = {{"density", "bohr^-3"},
                      {"mean_density", "bohr^-3"},
                      {"potential", "hartree/e"},
                      {"mean_potential", "hartree/e"},
                      {"energy_slope", "hartree/bohr^2"},
                      {"density_error", "bohr^-3"},
                      {"mean_density_error", "bohr^-3"},
                      {"energy_slope_error", "hartree/bohr^2"}},
          .rows = {{"",
                    {n.density, n.meanDensity, n.potential, n.meanPotential, n.energySlope, n.densityError,
                     n.meanDensityError, n.energySlopeError}}},
          .lines = nucleusLines(n)};
}

/// Entries side by side, the first line with the key.
Lines wrapped(const std::string& key, const std::vector<std::string>& entries) {
  constexpr int kInALine = 4;
  Lines lines;
  std::string line;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    line += fmt::format("{:<18} ", entries[i]);
    if ((i + 1) % kInALine != 0 && i + 1 < entries.size()) continue;
    line.erase(line.find_last_not_of(' ') + 1);
    lines.emplace_back(lines.empty() ? key : "", line);
    line.clear();
  }
  return lines;
}

PropertyTable momentsTable(const PropertySource& s) {
  PropertyTable table{.key = "expectation_values", .form = PropertyForm::Powers};
  const auto add = [&](const std::string& label, const PowerMoments& m) {
    PropertyTable::Row& row = table.rows.emplace_back(PropertyTable::Row{label, {}});
    for (int k = kLowestPower; k <= kHighestPower; ++k) row.values.push_back(m.of(k));
  };
  std::vector<std::string> entries;
  for (int k = kLowestPower; k <= kHighestPower; ++k) {
    const std::string key = k == 0 ? "" : k == 1 ? "r" : fmt::format("r^{}", k);  // <r^0> is the electrons
    table.columns.push_back({key, "bohr^k"});
    const auto total = s.known.total.of(k);
    if (total && k != 0) entries.push_back(fmt::format("<{}> {:.7g}", key, *total));
  }
  add("total", s.known.total);
  for (std::size_t i = 0; i < s.result.spinors.size(); ++i)
    add(s.result.spinors[i].label(), s.known.moments[i]);
  table.lines = wrapped("all electrons, bohr^k", entries);
  return table;
}

PropertyTable splittingsTable(const PropertySource& s) {
  PropertyTable table{.key = "spin_orbit_splittings",
                      .form = PropertyForm::ByLabel,
                      .columns = {{"splitting", "hartree"}},
                      .labels = "spin_orbit_shells"};
  std::vector<std::string> entries;
  for (const SpinOrbitSplitting& one : s.known.splittings) {
    table.rows.push_back({one.shell, {one.value}});
    entries.push_back(fmt::format("{} {:.8f}", one.shell, one.value));
  }
  table.lines = wrapped("spin-orbit splittings / Eh", entries);
  return table;
}

PropertyTable hyperfineTable(const PropertySource& s) {
  PropertyTable table{.key = "hyperfine",
                      .form = PropertyForm::Rows,
                      .columns = {{"magnetic_dipole", "bohr^-2"},
                                  {"a_mhz", "MHz"},
                                  {"electric_quadrupole", "bohr^-3"},
                                  {"b_mhz", "MHz"}}};
  for (const HyperfineIntegrals& h : s.known.hyperfine) {
    table.rows.push_back(
        {h.label, {h.magneticDipole, h.magneticConstant, h.electricQuadrupole, h.quadrupoleConstant}});
    std::string value;
    if (h.magneticDipole)
      value += fmt::format("[P Q r^-2] {:.8e} bohr^-2, A {:.6g} MHz/(mu_I/I)", *h.magneticDipole,
                           *h.magneticConstant);
    if (h.electricQuadrupole)
      value += fmt::format("; <r^-3> {:.8e} bohr^-3, B {:.6g} MHz/barn", *h.electricQuadrupole,
                           *h.quadrupoleConstant);
    if (!value.empty()) table.lines.emplace_back("hyperfine, " + h.label, value);
  }
  return table;
}

/// Every property.
constexpr PropertyTable (*kProducers[])(const PropertySource&) = {energiesTable, nucleusTable, momentsTable,
                                                                  splittingsTable, hyperfineTable};

using Json = nlohmann::ordered_json;

Json rowJson(const PropertyTable& table, const PropertyTable::Row& row, Json j = Json::object()) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (row.values[i] && !table.columns[i].key.empty()) j[table.columns[i].key] = *row.values[i];
  }
  return j;
}

}  // namespace

std::vector<PropertyTable> propertyTables(const PropertySource& source) {
  std::vector<PropertyTable> tables;
  for (const auto produce : kProducers) tables.push_back(produce(source));
  return tables;
}

std::vector<PropertyValue> propertyValues(const std::vector<PropertyTable>& tables) {
  std::vector<PropertyValue> all;
  for (const PropertyTable& t : tables) {
    for (const PropertyTable::Row& row : t.rows) {
      for (std::size_t i = 0; i < t.columns.size(); ++i) {
        if (row.values[i] && !t.columns[i].key.empty())
          all.push_back({t.key, row.label, t.columns[i].key, t.columns[i].unit, *row.values[i]});
      }
    }
  }
  return all;
}

Json propertyJson(const PropertyTable& table) {
  Json j = table.form == PropertyForm::Rows ? Json::array() : Json::object();
  for (const PropertyTable::Row& row : table.rows) {
    switch (table.form) {
      case PropertyForm::Numbers:
      case PropertyForm::Object:
        j = rowJson(table, row);
        break;
      case PropertyForm::ByLabel:
        if (row.values.front()) j[row.label] = *row.values.front();
        break;
      case PropertyForm::Powers:
        j[row.label] = rowJson(table, row);
        break;
      case PropertyForm::Rows:
        j.push_back(rowJson(table, row, {{"label", row.label}}));
        break;
    }
  }
  return j;
}

Json propertiesJson(const std::vector<PropertyTable>& tables) {
  Json j = Json::object();
  for (const PropertyTable& table : tables) {
    if (table.form == PropertyForm::Numbers) {
      j.update(propertyJson(table));
    } else {
      j[table.key] = propertyJson(table);
    }
  }
  return j;
}

}  // namespace prophet

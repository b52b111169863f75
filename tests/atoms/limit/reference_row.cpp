#include "reference_row.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "atoms/atom/elements.hpp"
#include "core/common/csv.hpp"
#include "test_paths.hpp"

namespace prophet::test {
namespace {

/// Rows below the names of the columns.
std::vector<std::vector<std::string>> readTable(const std::string& file) {
  std::vector<std::vector<std::string>> rows;
  for (CsvRow& row : readCsv(std::string(PROPHET_SOURCE_DIR) + "/basis_sets/reference/" + file))
    rows.push_back(std::move(row.fields));
  rows.erase(rows.begin());
  return rows;
}

// The number of "key=<number><unit>"; not-a-number where there is none.
double numberOf(const std::string& text, const std::string& key, const std::string& unit) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool ends = word.size() > unit.size() && word.substr(word.size() - unit.size()) == unit;
    if (ends && word.rfind(key + "=", 0) == 0) return std::stod(word.substr(key.size() + 1));
  }
  return std::nan("");
}

// The table's program converts with the bohr of CODATA 2010: its "a" and "c" are given in both units.
constexpr double kFemtometresPerBohr = 0.5233875553104315 / 9.890591370096e-06;

// A length in bohr.
double lengthOf(const std::string& text, const std::string& key) {
  const double bohr = numberOf(text, key, "bohr"), femtometres = numberOf(text, key, "fm");
  if (!std::isnan(bohr)) return bohr;
  if (std::isnan(femtometres)) throw std::runtime_error("no " + key + " in " + text);
  return femtometres / kFemtometresPerBohr;
}

Nucleus nucleusOf(int z, const std::string& name, const std::string& parameters) {
  Nucleus nucleus;
  nucleus.charge = z;
  if (name == "point") return nucleus;
  if (name != "Fermi") throw std::runtime_error("unknown nucleus " + name);
  nucleus.model = NuclearModel::Fermi;
  nucleus.rms = lengthOf(parameters, "rms");
  nucleus.fermiA = lengthOf(parameters, "a");
  nucleus.fermiC = lengthOf(parameters, "c");
  return nucleus;
}

}  // namespace

std::vector<ReferenceRow> readReferenceRows() {
  std::vector<ReferenceRow> rows;
  for (const auto& r : readTable("numerical_energies.csv")) {
    const int z = std::stoi(r[0]);
    rows.push_back(
        {z, r[1], r[2], r[3], nucleusOf(z, r[3], r[4]), std::stod(r[5]), std::stod(r[6]), std::stod(r[7])});
  }
  return rows;
}

std::vector<ReferenceSpinor> readReferenceSpinors() {
  std::vector<ReferenceSpinor> rows;
  for (const auto& r : readTable("orbital_energies.csv")) {
    const int z = elementOf(r[0]).value();
    rows.push_back({r[0], r[1], r[2], nucleusOf(z, r[2], r[3]), std::stod(r[4]), std::stod(r[5])});
  }
  return rows;
}

}  // namespace prophet::test

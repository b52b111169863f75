#include "reference_row.hpp"

#include <cmath>
#include <fstream>
#include <stdexcept>

#include "atom/elements.hpp"
#include "common/constants.hpp"

namespace prophet::test {
namespace {

std::vector<std::vector<std::string>> readTable(const std::string& file) {
  const std::string path = std::string(PROPHET_SOURCE_DIR) + "/tests/data/reference/" + file;
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);  // names of the columns
  while (std::getline(in, line)) {
    std::vector<std::string> row(1);
    for (char c : line) {
      if (c == ',') row.emplace_back();
      else row.back() += c;
    }
    rows.push_back(row);
  }
  return rows;
}

// "key=<number>fm" in bohr.
double lengthOf(const std::string& text, const std::string& key) {
  const size_t at = (" " + text).find(" " + key + "=");
  if (at == std::string::npos) throw std::runtime_error("no " + key + " in " + text);
  return std::stod(text.substr(at + key.size() + 1)) / constants::kFemtometresPerBohr;
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
    rows.push_back({z, r[1], r[2], r[3], nucleusOf(z, r[3], r[4]), std::stod(r[5]), std::stod(r[6]), std::stod(r[7])});
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

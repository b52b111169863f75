#include "operations/validate/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <sstream>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/number.hpp"

namespace prophet {
namespace {

constexpr const char* kColumns =
    "Z,symbol,configuration,nucleus,nucleus_parameters,c_au,energy_hartree,estimated_error_hartree,source";

/// The bohr of the program that the figures come from, by a length that one row gives in both units.
constexpr double kFemtometresPerBohr = 0.5233875553104315 / 9.890591370096e-06;

/// The number of "key=<number><unit>" among words.
std::optional<double> parameter(const std::string& words, const std::string& key, const std::string& unit) {
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    const bool ends =
        word.size() > unit.size() && word.compare(word.size() - unit.size(), unit.size(), unit) == 0;
    if (word.rfind(key + "=", 0) != 0 || !ends) continue;
    return numberOf(word.substr(key.size() + 1, word.size() - key.size() - 1 - unit.size()));
  }
  return std::nullopt;
}

double lengthOf(const std::string& words, const std::string& key) {
  if (const auto bohr = parameter(words, key, "bohr")) return *bohr;
  if (const auto femtometres = parameter(words, key, "fm")) return *femtometres / kFemtometresPerBohr;
  throw Error(fmt::format("no {}=... among the nuclear parameters", key));
}

Nucleus nucleusOf(int z, const std::string& model, const std::string& parameters) {
  Nucleus nucleus;
  nucleus.charge = z;
  if (model == nameOf(NuclearModel::Point)) return nucleus;
  if (model != nameOf(NuclearModel::Fermi)) throw Error(fmt::format("unknown nucleus '{}'", model));
  nucleus.model = NuclearModel::Fermi;
  nucleus.rms = lengthOf(parameters, "rms");
  nucleus.fermiA = lengthOf(parameters, "a");
  nucleus.fermiC = lengthOf(parameters, "c");
  return nucleus;
}

ReferenceEnergy rowOf(const std::vector<std::string>& f) {
  if (f.size() != 9) throw Error(fmt::format("expected 9 fields, found {}", f.size()));
  ReferenceEnergy row;
  row.z = static_cast<int>(numberOf(f[0]));
  if (elementOf(f[1]) != row.z) throw Error(fmt::format("'{}' is not the element {}", f[1], f[0]));
  row.configuration = f[2];
  row.nucleus = nucleusOf(row.z, f[3], f[4]);
  row.speedOfLight = numberOf(f[5]);
  row.energy = numberOf(f[6]);
  row.estimatedError = numberOf(f[7]);
  row.source = f[8];
  return row;
}

}  // namespace

std::vector<ReferenceEnergy> shippedReferenceEnergies(const std::filesystem::path& basisSets) {
  return readReferenceEnergies((basisSetFolder(basisSets) / "reference" / "numerical_energies.csv").string());
}

std::vector<ReferenceEnergy> readReferenceEnergies(const std::string& path) {
  const std::vector<CsvRow> table = readCsv(path);
  if (table.empty() || fmt::format("{}", fmt::join(table.front().fields, ",")) != kColumns)
    throw Error(fmt::format("{}:1: error: expected the columns {}", path, kColumns));
  std::vector<ReferenceEnergy> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    try {
      rows.push_back(rowOf(table[i].fields));
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: error: {}", path, table[i].line, e.what()));
    }
  }
  return rows;
}

}  // namespace prophet

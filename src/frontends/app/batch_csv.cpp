#include "frontends/app/batch_csv.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "atoms/service/json_lines.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

using Json = nlohmann::json;

/// A column and where its value stands in a line.
struct BatchColumn {
  const char* name;
  const char* pointer;
};

constexpr BatchColumn kColumns[] = {{"id", "/id"},
                                    {"symbol", "/symbol"},
                                    {"Z", "/Z"},
                                    {"charge", "/charge"},
                                    {"configuration", "/configuration/description"},
                                    {"configuration_source", "/configuration_source"},
                                    {"nucleus", "/nucleus/model"},
                                    {"job", "/job"},
                                    {"basis", "/basis/description"},
                                    {"functions", "/basis/functions"},
                                    {"status", "/status"},
                                    {"energy", "/energy"},
                                    {"total_with_corrections", "/total_with_corrections"},
                                    {"kinetic", "/kinetic"},
                                    {"nuclear", "/nuclear"},
                                    {"two_electron", "/two_electron"},
                                    {"virial_ratio", "/virial_ratio"},
                                    {"iterations", "/iterations"},
                                    {"error_estimate", "/error_estimate"},
                                    {"density_at_nucleus", "/properties/nucleus/density"},
                                    {"density_at_nucleus_error", "/properties/nucleus/density_error"},
                                    {"energy_slope", "/properties/nucleus/energy_slope"},
                                    {"energy_slope_error", "/properties/nucleus/energy_slope_error"},
                                    {"warnings", "/warnings"},
                                    {"reason", "/reason"},
                                    {"hamiltonian", "/hamiltonian"},
                                    {"breit", "/treatment/breit"},
                                    {"qed", "/treatment/qed"}};

std::string cell(const Json& value) {
  if (value.is_string()) return csvField(value.get<std::string>());
  return value.is_null() ? "" : value.dump();
}

std::string warningIds(const Json& warnings) {
  std::string text;
  for (const Json& w : warnings) text += (text.empty() ? "" : ";") + w.value("id", "");
  return text;
}

/// What stands under other names in the lines.
Json forTable(Json line) {
  // Lines that an earlier version wrote.
  if (line.contains("energy") && !line.contains("total_with_corrections"))
    line["total_with_corrections"] = line["energy"];
  for (const char* error : {"estimated_error", "basis_error_estimate"}) {
    if (line.contains(error) && !line.contains("error_estimate")) line["error_estimate"] = line[error];
  }
  if (line.contains("warnings")) line["warnings"] = warningIds(line["warnings"]);
  return line;
}

std::string rowOf(const std::string& text) {
  const Json line = forTable(Json::parse(text));
  std::string row;
  for (const BatchColumn& column : kColumns) {
    const Json::json_pointer at(column.pointer);
    row += (&column == kColumns ? "" : ",") + (line.contains(at) ? cell(line[at]) : "");
  }
  return row + "\n";
}

std::string headOfTable(const std::string& version) {
  std::string text = fmt::format(
      "# cudaprophet {} batch; energies in hartree; error_estimate: of the basis set, or of the numerical "
      "limit\n",
      version);
  for (const BatchColumn& column : kColumns)
    text += fmt::format("{}{}", &column == kColumns ? "" : ",", column.name);
  return text + "\n";
}

}  // namespace

std::string batchCsv(const std::string& linesPath, const std::vector<std::string>& ids,
                     const std::string& version) {
  std::unordered_map<std::string, std::string> rows;
  for (const std::string& id : ids) rows[id];
  std::ifstream in(linesPath);
  if (!in) throw Error(fmt::format("cannot read {} again", linesPath));
  for (std::string line; std::getline(in, line);) {
    const auto row = rows.find(headOf(line).id);
    if (row != rows.end()) row->second = rowOf(line);  // the last line of a job counts
  }
  std::string table = headOfTable(version);
  for (const std::string& id : ids) table += rows[id];
  return table;
}

}  // namespace prophet

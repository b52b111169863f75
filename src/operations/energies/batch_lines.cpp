#include "operations/energies/batch_lines.hpp"

#include <fmt/format.h>

#include <fstream>
#include <unordered_map>
#include <unordered_set>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/service/json_lines.hpp"
#include "core/common/error.hpp"
#include "core/common/version.hpp"
#include "operations/energies/energy_difference.hpp"

namespace prophet {
namespace {

constexpr std::size_t kListed = 20;

void eachLine(const std::string& path, const std::function<void(const std::string&)>& read) {
  std::ifstream in(path);
  if (!in) throw Error(fmt::format("cannot read {} again", path));
  for (std::string line; std::getline(in, line);) read(line);
}

/// A column and where its value stands in a line.
struct BatchColumn {
  const char* name;
  const char* pointer;
  const char* unit;  ///< empty: a text
  const char* meaning;
};

constexpr BatchColumn kValueColumns[] = {
    {"id", "/id", "", "name of the job: the input file or the species"},
    {"symbol", "/symbol", "", "symbol of the element"},
    {"Z", "/Z", "1", "nuclear charge"},
    {"charge", "/charge", "1", "charge of the ion, e"},
    {"configuration", "/configuration/description", "", "electron configuration"},
    {"configuration_source", "/configuration_source", "", "`given`, `nist` or `rule`"},
    {"nucleus", "/nucleus/model", "", "model of the nucleus"},
    {"job", "/job", "", "`energy` or `limit`"},
    {"basis", "/basis/description", "", "basis set"},
    {"functions", "/basis/functions", "1", "number of functions of the basis set"},
    {"status", "/status", "", "`converged`, `not converged`, `unbound` or `failed`"},
    {"energy", "/energy", "hartree", "energy without first-order corrections"},
    {"total_with_corrections", "/total_with_corrections", "hartree", "energy with them"},
    {"kinetic", "/kinetic", "hartree", "kinetic energy"},
    {"nuclear", "/nuclear", "hartree", "attraction by the nucleus"},
    {"two_electron", "/two_electron", "hartree", "repulsion of the electrons"},
    {"virial_ratio", "/virial_ratio", "1", "virial ratio"},
    {"iterations", "/iterations", "1", "iterations of the self-consistent field"},
    {"error_estimate", "/error_estimate", "hartree", "estimated error of the energy"},
    {"density_at_nucleus", "/properties/nucleus/density", "1/bohr^3", "electrons at the nucleus"},
    {"density_at_nucleus_error", "/properties/nucleus/density_error", "1/bohr^3", "its estimated error"},
    {"energy_slope", "/properties/nucleus/energy_slope", "hartree/bohr^2",
     "derivative of the energy with respect to the mean square radius of the nucleus"},
    {"energy_slope_error", "/properties/nucleus/energy_slope_error", "hartree/bohr^2", "its estimated error"},
    {"warnings", "/warnings", "", "identifiers of the warnings"},
    {"reason", "/reason", "", "why there is no result that is whole"},
    {"hamiltonian", "/hamiltonian", "", "Hamiltonian"},
    {"breit", "/treatment/breit", "", "treatment of the Breit interaction"},
    {"qed", "/treatment/qed", "", "treatment of quantum electrodynamics"}};

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

void setCell(Column& column, std::size_t row, const Json& value) {
  if (column.isText()) {
    std::get<std::vector<std::string>>(column.values)[row] = value.is_string() ? value.get<std::string>()
                                                             : value.is_null() ? ""
                                                                               : value.dump();
  } else {
    std::get<Eigen::VectorXd>(column.values)(static_cast<Eigen::Index>(row)) =
        value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

OutputTally tallyJsonLines(const std::string& path, const std::vector<std::string>& ids) {
  const std::unordered_set<std::string> asked(ids.begin(), ids.end());
  std::unordered_map<std::string, LineHead> last;  // a job that was tried again has several lines
  std::vector<std::string> order;
  eachLine(path, [&](const std::string& line) {
    LineHead head = headOf(line);
    if (!asked.contains(head.id)) return;
    std::string id = head.id;
    if (last.insert_or_assign(id, std::move(head)).second) order.push_back(std::move(id));
  });
  OutputTally tally;
  for (const std::string& id : order) {
    const LineHead& head = last[id];
    const Status status = statusNamed(head.status);
    tally.count(status);
    if (status == Status::Converged) continue;
    const std::string reason = head.reason.empty() ? head.status : head.reason;
    // Errors of an input file begin with its name.
    const bool named = reason.starts_with(id + ":");
    tally.bad.push_back(named ? reason : id + ": " + reason);
  }
  return tally;
}

std::string countOfJobs(std::size_t count) { return fmt::format("{} job{}", count, count == 1 ? "" : "s"); }

std::string summaryText(const OutputTally& tally, const BatchSummary& run) {
  std::string text = fmt::format("{}: {} converged, {} not converged, {}{} failed; {:.2f} s",
                                 countOfJobs(run.total), tally.converged, tally.notConverged,
                                 tally.unbound > 0 ? fmt::format("{} unbound, ", tally.unbound) : "",
                                 tally.failed, run.seconds);
  if (run.skipped > 0) text += fmt::format(" ({} from an earlier run)", run.skipped);
  text += "\n";
  for (std::size_t i = 0; i < tally.bad.size() && i < kListed; ++i) text += "  " + tally.bad[i] + "\n";
  if (tally.bad.size() > kListed)
    text += fmt::format("  and {} more; the output file has them\n", tally.bad.size() - kListed);
  for (const std::string& note : run.notes) text += "note: " + note + "\n";
  return text;
}

Table batchTable(std::size_t jobs) {
  Table table{"jobs", {}, Table::Layout::Rows};
  const auto rows = static_cast<Eigen::Index>(jobs);
  for (const BatchColumn& c : kValueColumns) {
    Column& column = table.columns.emplace_back(
        Column{.key = c.name, .unit = c.unit, .values = std::vector<std::string>(), .meaning = c.meaning});
    if (column.unit.empty()) {
      column.values = std::vector<std::string>(jobs);
    } else {
      column.values =
          Eigen::VectorXd(Eigen::VectorXd::Constant(rows, std::numeric_limits<double>::quiet_NaN()));
    }
  }
  return table;
}

Table batchTable(const std::string& linesPath, const std::vector<std::string>& ids) {
  Table table = batchTable(ids.size());
  std::unordered_map<std::string, std::size_t> rows;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    rows[ids[i]] = i;
    setCell(table.columns.front(), i, ids[i]);
  }
  eachLine(linesPath, [&](const std::string& text) {
    const auto row = rows.find(headOf(text).id);
    if (row == rows.end()) return;
    const Json line = forTable(Json::parse(text));  // the last line of a job counts
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Json::json_pointer at(kValueColumns[c].pointer);
      setCell(table.columns[c], row->second, line.contains(at) ? line[at] : Json());
    }
  });
  return table;
}

std::string batchCsv(const Table& table) {
  Record record;
  record.csvComments = false;
  record.tables.push_back(table);
  return fmt::format(
             "# cudaprophet {} batch; energies in hartree; error_estimate: of the basis set, or of the "
             "numerical limit\n",
             kVersion) +
         recordCsv(record);
}

namespace {

/// A bare nucleus that was asked for has no result, but an energy, 0: it stands beside its ion of one
/// electron.
void addBareNuclei(const std::unordered_set<std::string>& asked, std::vector<ComparedResult>& results) {
  const std::size_t computed = results.size();
  for (std::size_t i = 0; i < computed; ++i) {
    const auto z = elementOfCharge(results[i].z);
    const std::string species = results[i].species();
    if (!z || results[i].charge != *z - 1 || !results[i].name.starts_with(species)) continue;
    ComparedResult bare = results[i];
    bare.name = ionName(*z, *z) + results[i].name.substr(species.size());
    if (!asked.contains(bare.name)) continue;
    bare.charge = *z;
    bare.configuration.clear();
    bare.spinors.clear();
    bare.energy = 0;
    if (bare.error) bare.error = 0;
    for (auto& [name, value] : bare.parts) value = 0;
    bare.density = bare.meanDensity = bare.energySlope = {};
    results.push_back(std::move(bare));
  }
}

}  // namespace

std::string batchDifferences(const std::string& linesPath, const std::vector<std::string>& ids) {
  const std::unordered_set<std::string> asked(ids.begin(), ids.end());
  std::vector<std::string> leftOut;
  std::vector<ComparedResult> results =
      readResults(linesPath, leftOut, [](const auto&...) {});  // just written
  std::erase_if(results, [&](const ComparedResult& r) { return !asked.contains(r.name); });
  addBareNuclei(asked, results);
  const std::vector<EnergyDifference> differences = differencesAmong(results);
  if (differences.empty()) return std::string(kNoDifferences) + "\n";
  return differenceTable(differences) + couplingNotes(differences);
}

}  // namespace prophet

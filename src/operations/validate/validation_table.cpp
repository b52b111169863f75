#include "operations/validate/validation_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "atoms/atom/elements.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/json_text.hpp"

namespace prophet {
namespace {

std::string orDash(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string verdictOf(const ValidationRow& row) { return row.passed ? "pass" : "FAIL"; }

const char* nameOf(ValidateAgainst against) {
  return against == ValidateAgainst::Limit ? "limit" : "reference";
}

std::optional<double> decisive(const ValidationTask& task, const ValidationRow& row) {
  return task.against == ValidateAgainst::Limit ? row.basisMinusLimit : row.limitMinusReference;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::size_t failures(const std::vector<ValidationRow>& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const ValidationRow& r) { return !r.passed; }));
}

std::string csvNumber(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

nlohmann::ordered_json jsonNumber(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

std::optional<double> referenceEnergy(const ValidationRow& r) {
  return r.reference ? std::optional<double>(r.reference->energy) : std::nullopt;
}

nlohmann::ordered_json partsJson(const ValidationRow& r) {
  nlohmann::ordered_json j = nlohmann::ordered_json::object();
  for (const ValidationPart& part : r.parts)
    j[keyOf(part.id)] = {{"basis", part.basis}, {"limit", part.limit}};
  return j;
}

std::string partLine(const ValidationPart& p) {
  const double difference = p.basis - p.limit;  // a part may vanish
  // The difference stands below those of the energies.
  return fmt::format("      {:<26} {:>20.10f} {:>20.10f} {:>31.2e}\n", labelOf(p.id), p.basis, p.limit,
                     std::abs(difference) < 1e-15 ? 0.0 : difference / std::abs(p.limit));
}

/// "point", "Fermi 3.0055": figures may differ by the nucleus' size, the rms radius in fm.
std::string nucleusOf(const ValidationRow& row) {
  const std::string model = prophet::nameOf(row.nucleus.model);
  const double fm = row.nucleus.rms * constants::kFemtometresPerBohr;
  return row.nucleus.rms > 0 ? fmt::format("{} {:.4f}", model, fm) : model;
}

nlohmann::ordered_json rowJson(const ValidationRow& r) {
  nlohmann::ordered_json j{{"Z", r.z}, {"symbol", symbolOf(r.z)}, {"configuration", r.configuration}};
  j["nucleus"] = r.nucleus.description();
  j["hamiltonian"] = prophet::nameOf(r.oneElectron);
  if (r.oneElectron == OneElectronOperator::Dirac) j["speed_of_light"] = r.speedOfLight;
  j["basis"] = r.basis;
  j["functions"] = r.functions;
  j["basis_energy"] = jsonNumber(r.basisEnergy);
  j["limit"] = jsonNumber(r.limit);
  j["limit_error"] = r.limitError;
  j["reference"] = jsonNumber(referenceEnergy(r));
  j["reference_error"] = r.reference ? nlohmann::ordered_json(r.reference->estimatedError) : nullptr;
  j["reference_source"] = r.reference ? r.reference->source : "";
  j["basis_minus_limit"] = jsonNumber(r.basisMinusLimit);
  j["limit_minus_reference"] = jsonNumber(r.limitMinusReference);
  if (!r.parts.empty()) j["parts"] = partsJson(r);
  j["passed"] = r.passed;
  j["reason"] = r.failure;
  j["note"] = r.note;
  j["basis_seconds"] = r.basisSeconds;
  j["limit_seconds"] = r.limitSeconds;
  return j;
}

/// The parts that the rows have: all of a task have the same, but for those that failed.
std::vector<ValidationPart> partColumns(const std::vector<ValidationRow>& rows) {
  for (const ValidationRow& row : rows) {
    if (!row.parts.empty()) return row.parts;
  }
  return {};
}

}  // namespace

std::string validationHead(const ValidationTask& task) {
  const bool limit = task.against == ValidateAgainst::Limit;
  const std::string parts = task.hamiltonian.hasCorrections()
                                ? "; that of each part below a row at most the same share of the energy"
                                : "";
  return fmt::format(
      "{}\npass: |{}| at most {:.1e}{}; differences are relative\n\n  {:>3} {:<2} {:<15} {:>20} {:>20} {:>7} "
      "{:>20} {:>10} {:>10}  {}\n",
      limit ? task.hamiltonian.isFourComponent()
                  ? "Energies in basis sets against the numerical limit"
                  : "Non-relativistic energies in basis sets against the non-relativistic limit"
            : "The numerical limit against figures of other programs",
      limit ? "basis - limit" : "limit - reference", task.threshold, parts, "Z", "", "nucleus (fm)",
      "basis / hartree", "limit / hartree", "error", "reference / hartree", "bas - lim", "lim - ref",
      "verdict");
}

std::string validationLine(const ValidationRow& r) {
  const std::string error = r.limit ? fmt::format("{:.0e}", r.limitError / std::abs(*r.limit)) : "-";
  std::string text =
      fmt::format("  {:>3} {:<2} {:<15} {:>20} {:>20} {:>7} {:>20} {:>10} {:>10}  {}\n", r.z, symbolOf(r.z),
                  nucleusOf(r), orDash(r.basisEnergy, "{:.10f}"), orDash(r.limit, "{:.10f}"), error,
                  orDash(referenceEnergy(r), "{:.10f}"), orDash(r.basisMinusLimit, "{:.2e}"),
                  orDash(r.limitMinusReference, "{:.2e}"), verdictOf(r));
  for (const ValidationPart& part : r.parts) text += partLine(part);
  for (const std::string& remark : {r.failure, r.note}) {
    if (!remark.empty()) text += fmt::format("      {}\n", remark);
  }
  return text;
}

std::string validationSummary(const ValidationTask& task, const std::vector<ValidationRow>& rows) {
  double worst = 0;
  std::string worstName = "none";
  std::set<std::string> sources;
  std::set<int> compared;
  std::vector<double> differences;
  for (const ValidationRow& row : rows) {
    compared.insert(row.z);
    if (row.reference) sources.insert(row.reference->source);
    if (decisive(task, row)) differences.push_back(std::abs(*decisive(task, row)));
    const double difference = std::abs(decisive(task, row).value_or(0));
    if (difference < worst) continue;
    worst = difference;
    worstName = fmt::format("{}, {} nucleus", symbolOf(row.z), prophet::nameOf(row.nucleus.model));
  }
  std::string without;
  for (const int z : task.elements) {
    if (compared.count(z) == 0) without += " " + symbolOf(z);
  }
  std::string text =
      fmt::format("\n{} compared, {} failed; largest difference {:.1e} ({}), median {:.1e}\n", rows.size(),
                  failures(rows), worst, worstName, median(std::move(differences)));
  if (!without.empty()) text += "no figure for:" + without + "\n";
  for (const std::string& source : sources) text += "reference: " + source + "\n";
  return text;
}

std::string validationCsv(const std::vector<ValidationRow>& rows) {
  std::string text =
      "Z,symbol,configuration,nucleus,nucleus_parameters,c_au,basis,functions,basis_hartree,limit_hartree,"
      "limit_error_hartree,reference_hartree,reference_error_hartree,reference_source,basis_minus_limit,"
      "limit_minus_reference,verdict,reason,note,basis_seconds,limit_seconds";
  const std::vector<ValidationPart> columns = partColumns(rows);
  for (const ValidationPart& part : columns)
    text += fmt::format(",{0}_basis_hartree,{0}_limit_hartree", keyOf(part.id));
  text += "\n";
  for (const ValidationRow& r : rows) {
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{:.3f}", r.z, symbolOf(r.z),
        csvField(r.configuration), prophet::nameOf(r.nucleus.model), csvField(r.nucleus.description()),
        r.oneElectron == OneElectronOperator::Dirac ? fmt::format("{}", r.speedOfLight) : "",
        csvField(r.basis), r.functions, csvNumber(r.basisEnergy), csvNumber(r.limit), r.limitError,
        csvNumber(referenceEnergy(r)), r.reference ? fmt::format("{}", r.reference->estimatedError) : "",
        r.reference ? csvField(r.reference->source) : "", csvNumber(r.basisMinusLimit),
        csvNumber(r.limitMinusReference), r.passed ? "pass" : "fail", csvField(r.failure), csvField(r.note),
        r.basisSeconds, r.limitSeconds);
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += r.parts.empty() ? ",," : fmt::format(",{},{}", r.parts.at(i).basis, r.parts.at(i).limit);
    text += "\n";
  }
  return text;
}

std::string validationJson(const std::string& version, const ValidationTask& task,
                           const std::vector<ValidationRow>& rows) {
  nlohmann::ordered_json j{{"program", "CUDAProphet"}, {"version", version}};
  j["against"] = nameOf(task.against);
  j["threshold"] = task.threshold;
  j["passed"] = failures(rows) == 0;
  j["rows"] = nlohmann::ordered_json::array();
  for (const ValidationRow& row : rows) j["rows"].push_back(rowJson(row));
  return jsonText(j, 2) + "\n";
}

}  // namespace prophet

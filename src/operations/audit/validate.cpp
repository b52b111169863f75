#include "operations/audit/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "operations/audit/may_lack.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

constexpr const char* kEnergyColumns =
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
  if (table.empty() || fmt::format("{}", fmt::join(table.front().fields, ",")) != kEnergyColumns)
    throw Error(fmt::format("{}:1: error: expected the columns {}", path, kEnergyColumns));
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

namespace {

Calculation calculationOf(const ValidationTask& task, int z, const std::string& configuration) {
  Json values = {{"atom", z}, {"config", configuration}};
  if (!task.collection.empty()) values["library"] = task.collection;
  if (task.model && task.against == ValidateAgainst::Limit)
    values["nucleus"] = lowerCase(nameOf(*task.model));
  Job job = jobOfValues(JobType::Energy, values);
  job.basisSets = task.basisSets;
  job.hamiltonian = task.hamiltonian;
  return resolve(job).calculation;
}

std::vector<ValidationRow> planElement(const ValidationTask& task, int z) {
  ValidationRow row;
  row.z = z;
  row.configuration = groundConfiguration(z);
  row.speedOfLight = constants::kSpeedOfLight;
  row.oneElectron = task.hamiltonian.oneElectron;
  try {
    row.nucleus = calculationOf(task, z, row.configuration).problem.nucleus;
  } catch (const Error& e) {
    row.failure = e.what();
  }
  return {row};
}

std::vector<ValidationRow> planFigures(const ValidationTask& task, int z,
                                       const std::vector<ReferenceEnergy>& figures) {
  std::vector<ValidationRow> rows;
  for (const ReferenceEnergy& figure : figures) {
    if (figure.z != z || (task.model && figure.nucleus.model != *task.model)) continue;
    ValidationRow row;
    row.z = z;
    row.configuration = figure.configuration;
    row.nucleus = figure.nucleus;
    row.speedOfLight = figure.speedOfLight;
    row.reference = figure;
    rows.push_back(row);
  }
  return rows;
}

/// A figure for just this atom, where there is one: shown beside the limit.
std::optional<ReferenceEnergy> figureFor(const ValidationRow& row,
                                         const std::vector<ReferenceEnergy>& figures) {
  for (const ReferenceEnergy& f : figures) {
    const bool same = f.z == row.z && f.nucleus.hasShapeOf(row.nucleus) &&
                      f.configuration == row.configuration && f.speedOfLight == row.speedOfLight;
    if (same) return f;
  }
  return std::nullopt;
}

void computeLimit(const ValidationTask& task, const AtomProblem& problem, ValidationRow& row) {
  const Result limit = compute({problem, LimitMethod{kJudgedIterations}}, {task.threads});
  row.limitSeconds = limit.seconds("total");
  if (!limit.ok()) throw NotConvergedError("the limit did not converge");
  row.limit = limit.energy.total;
  row.limitError = limit.limit->estimatedError;
  for (const EnergyPart& part : correctionsOf(limit.energy)) row.parts.push_back({part.id, 0, part.value});
}

void computeBasis(const ValidationTask& task, const Calculation& c, ValidationRow& row) {
  const Result r = compute(c, {task.threads});
  const BasisSet& basis = c.inBasis().basis;
  row.basis = basis.description.substr(0, basis.description.find(','));
  const std::size_t occupied = c.problem.configuration.symmetries.size();
  for (std::size_t a = 0; a < std::min(basis.symmetries.size(), occupied); ++a)
    row.functions += basis.symmetries[a].size();
  row.basisSeconds = r.seconds("total");
  if (!r.ok()) throw NotConvergedError("the energy in the basis set did not converge");
  row.basisEnergy = r.energy.total;
  for (ValidationPart& part : row.parts) part.basis = r.energy.value(part.id);
}

void judge(const ValidationTask& task, ValidationRow& row) {
  const bool againstLimit = task.against == ValidateAgainst::Limit;
  const auto& difference = againstLimit ? row.basisMinusLimit : row.limitMinusReference;
  if (!difference || !row.failure.empty()) return;
  const bool certain = row.limitError <= task.threshold * std::abs(*row.limit);
  if (!certain)
    row.failure = fmt::format("the limit's estimated error, {:.1e} hartree, is too large", row.limitError);
  const bool partsAgree = std::ranges::all_of(row.parts, [&](const ValidationPart& part) {
    return std::abs(part.basis - part.limit) <= task.threshold * std::abs(*row.limit);
  });
  row.passed = certain && partsAgree && std::abs(*difference) <= task.threshold;
}

}  // namespace

double defaultThreshold(ValidateAgainst against) { return against == ValidateAgainst::Limit ? 5e-9 : 1e-10; }

std::vector<ValidationRow> planValidation(const ValidationTask& task) {
  const std::vector<ReferenceEnergy> figures = shippedReferenceEnergies(task.basisSets);
  std::vector<ValidationRow> plan;
  for (const int z : task.elements) {
    auto rows = task.against == ValidateAgainst::Limit ? planElement(task, z) : planFigures(task, z, figures);
    for (ValidationRow& row : rows) {
      const bool dirac = task.hamiltonian.isFourComponent();  // as the figures
      if (!row.reference && dirac) row.reference = figureFor(row, figures);
      plan.push_back(std::move(row));
    }
  }
  return plan;
}

void validateRow(const ValidationTask& task, ValidationRow& row) {
  if (!row.failure.empty()) return;
  const auto calculation = [&] {
    Calculation c = calculationOf(task, row.z, row.configuration);
    c.problem.nucleus = row.nucleus;
    c.problem.hamiltonian.speedOfLight = row.speedOfLight;
    c.inBasis().scf.maxIterations = kJudgedIterations;
    return c;
  };
  try {
    computeLimit(task, calculation().problem, row);
    if (row.reference) {
      const double reference = row.reference->energy;
      row.limitMinusReference = (*row.limit - reference) / std::abs(reference);
    }
  } catch (const Error& e) {
    row.failure = e.what();
  }
  try {
    computeBasis(task, calculation(), row);
    if (row.limit) row.basisMinusLimit = (*row.basisEnergy - *row.limit) / std::abs(*row.limit);
  } catch (const Error& e) {
    (task.against == ValidateAgainst::Limit && row.failure.empty() ? row.failure : row.note) = e.what();
    row.parts.clear();
  }
  judge(task, row);
}

std::vector<ValidationRow> validate(const ValidationTask& task,
                                    const std::function<void(const ValidationRow&)>& finished) {
  std::vector<ValidationRow> rows = planValidation(task);
  for (ValidationRow& row : rows) {
    validateRow(task, row);
    if (finished) finished(row);
  }
  return rows;
}

namespace {

std::string verdictOf(const ValidationRow& row) { return row.passed ? "pass" : "FAIL"; }

const char* nameOf(ValidateAgainst against) {
  return against == ValidateAgainst::Limit ? "limit" : "reference";
}

std::optional<double> decisive(const ValidationTask& task, const ValidationRow& row) {
  return task.against == ValidateAgainst::Limit ? row.basisMinusLimit : row.limitMinusReference;
}

double medianOrZero(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::size_t failures(const std::vector<ValidationRow>& rows) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const ValidationRow& r) { return !r.passed; }));
}

std::optional<double> referenceEnergy(const ValidationRow& r) {
  return r.reference ? std::optional<double>(r.reference->energy) : std::nullopt;
}

Json partsJson(const ValidationRow& r) {
  Json j = Json::object();
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

Json rowJson(const ValidationRow& r) {
  Json j{{"Z", r.z}, {"symbol", symbolOf(r.z)}, {"configuration", r.configuration}};
  j["nucleus"] = r.nucleus.description();
  j["hamiltonian"] = prophet::nameOf(r.oneElectron);
  if (r.oneElectron == OneElectronOperator::Dirac) j["speed_of_light"] = r.speedOfLight;
  j["basis"] = r.basis;
  j["functions"] = r.functions;
  j["basis_energy"] = jsonNumber(r.basisEnergy);
  j["limit"] = jsonNumber(r.limit);
  j["limit_error"] = r.limitError;
  j["reference"] = jsonNumber(referenceEnergy(r));
  j["reference_error"] = r.reference ? Json(r.reference->estimatedError) : nullptr;
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
std::vector<EnergyPartId> partsOfRows(const std::vector<ValidationRow>& rows) {
  std::vector<EnergyPartId> ids;
  for (const ValidationRow& row : rows)
    if (ids.empty())
      for (const ValidationPart& part : row.parts) ids.push_back(part.id);
  return ids;
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
            : "The numerical limit against published energies",
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
                  failures(rows), worst, worstName, medianOrZero(std::move(differences)));
  if (!without.empty()) text += "no published energy for:" + without + "\n";
  for (const std::string& source : sources) text += "reference: " + source + "\n";
  return text;
}

Table validationColumns(const std::vector<ValidationRow>& rows, const std::vector<EnergyPartId>& parts) {
  using R = const ValidationRow&;
  using MayLack = std::optional<double>;
  Table table{"table", {}};
  const auto add = [&](const ColumnKind& kind, const auto& value) {
    table.columns.push_back(columnOf(rows, kind, value));
  };
  add({"Z", "1", "nuclear charge"}, [](R r) { return r.z; });
  add({"symbol", "", "symbol of the element"}, [](R r) { return symbolOf(r.z); });
  add({"configuration", "", "configuration"}, [](R r) { return r.configuration; });
  add({"nucleus", "", "nuclear model"}, [](R r) { return prophet::nameOf(r.nucleus.model); });
  add({"nucleus_parameters", "", "the nucleus in words"}, [](R r) { return r.nucleus.description(); });
  add({"c_au", "atomic units", "speed of light of the Dirac Hamiltonian"}, [](R r) {
    return r.oneElectron == OneElectronOperator::Dirac ? MayLack(r.speedOfLight) : std::nullopt;
  });
  add({"basis", "", "collection of the set"}, [](R r) { return r.basis; });
  add({"functions", "1", "number of basis functions"}, [](R r) { return r.functions; });
  add({"basis_hartree", "hartree", "energy in the basis set"}, [](R r) { return r.basisEnergy; });
  add({"limit_hartree", "hartree", "energy at the numerical limit"}, [](R r) { return r.limit; });
  add({"limit_error_hartree", "hartree", "its estimated error"}, [](R r) { return r.limitError; });
  add({"reference_hartree", "hartree", "energy of another program"}, referenceEnergy);
  add({"reference_error_hartree", "hartree", "its error as the source states it"},
      [](R r) { return r.reference ? MayLack(r.reference->estimatedError) : std::nullopt; });
  add({"reference_source", "", "where the reference was published"},
      [](R r) { return r.reference ? r.reference->source : std::string(); });
  add({"basis_minus_limit", "1", "(basis - limit)/|limit|"}, [](R r) { return r.basisMinusLimit; });
  add({"limit_minus_reference", "1", "(limit - reference)/|reference|"},
      [](R r) { return r.limitMinusReference; });
  add({"verdict", "", "`pass` or `fail`"}, [](R r) { return std::string(r.passed ? "pass" : "fail"); });
  add({"reason", "", "why it fails"}, [](R r) { return r.failure; });
  add({"note", "", "remark"}, [](R r) { return r.note; });
  add({"basis_seconds", "s", "time of the energy in the basis set"}, [](R r) { return r.basisSeconds; });
  add({"limit_seconds", "s", "time of the limit"}, [](R r) { return r.limitSeconds; });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    add({keyOf(parts[i]) + std::string("_basis_hartree"), "hartree", "this part in the basis set"},
        [i](R r) { return r.parts.empty() ? std::nullopt : MayLack(r.parts.at(i).basis); });
    add({keyOf(parts[i]) + std::string("_limit_hartree"), "hartree", "this part at the numerical limit"},
        [i](R r) { return r.parts.empty() ? std::nullopt : MayLack(r.parts.at(i).limit); });
  }
  return table;
}

Record validationRecord(const ValidationTask& task, const std::vector<ValidationRow>& rows) {
  Record record;
  record.title = "Energies in basis sets, numerical limits and published energies";
  record.outcome = failures(rows) == 0 ? Outcome::Done : Outcome::Failed;
  record.device = "CPU";
  Json list = Json::array();
  for (const ValidationRow& row : rows) list.push_back(rowJson(row));
  record.quantities = {{"against", "", nameOf(task.against)},
                       {"threshold", "", task.threshold},
                       {"passed", "", failures(rows) == 0},
                       {"rows", "", std::move(list)}};
  record.tables.push_back(validationColumns(rows, partsOfRows(rows)));
  record.csvComments = false;
  return record;
}

}  // namespace prophet

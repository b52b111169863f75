#include <limits>

#include "atoms/calculation/problem_json.hpp"
#include "atoms/properties/properties.hpp"
#include "operations/result_file/layout.hpp"

namespace prophet::hdf5 {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void setAttributes(Group& group, const PropertyTable& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (const auto& value = table.rows.front().values[i]) group.set(table.columns[i].key, *value);
  }
}

std::vector<std::string> labelsOf(const PropertyTable& table) {
  std::vector<std::string> labels;
  for (const PropertyTable::Row& row : table.rows) labels.push_back(row.label);
  return labels;
}

/// Column `i` of a table by rows; nan where a number does not exist.
std::vector<double> column(const PropertyTable& table, std::size_t i) {
  std::vector<double> values;
  for (const PropertyTable::Row& row : table.rows) values.push_back(row.values[i].value_or(kNone));
  return values;
}

void writePowers(Group& group, const PropertyTable& table) {
  std::vector<int> powers;
  for (int k = kLowestPower; k <= kHighestPower; ++k) powers.push_back(k);
  std::vector<double> all;
  for (const PropertyTable::Row& row : table.rows)
    for (const auto& value : row.values) all.push_back(value.value_or(kNone));
  const auto total = all.begin() + static_cast<std::ptrdiff_t>(powers.size());
  group.write("powers", powers);
  group.write("moments", {total, all.end()}, "bohr^k", table.rows.size() - 1);
  group.write("total_moments", {all.begin(), total}, "bohr^k");
}

void writeRows(Group group, const PropertyTable& table) {
  group.write(table.labels, labelsOf(table));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    group.write(table.columns[i].key, column(table, i), table.columns[i].unit);
}

}  // namespace

void writeProperties(Group& group, const Properties& p) {
  for (const PropertyTable& table : p.tables) {
    switch (table.form) {
      case PropertyForm::Numbers:
        setAttributes(group, table);
        break;
      case PropertyForm::Object: {
        Group own = group.create(table.key);
        setAttributes(own, table);
        break;
      }
      case PropertyForm::ByLabel:
        group.write(table.labels, labelsOf(table));
        group.write(table.key, column(table, 0), table.columns.front().unit);
        break;
      case PropertyForm::Powers:
        writePowers(group, table);
        break;
      case PropertyForm::Rows:
        if (!table.rows.empty()) writeRows(group.create(table.key), table);
        break;
    }
  }
}

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

void writeEnergy(Group group, const Result& result) {
  group.set("unit", "hartree");
  group.set("total", result.energy.total);
  group.set("total_with_corrections", result.energy.withCorrections());
  group.set("virial_ratio", result.virialRatio);
  std::vector<std::string> names;
  std::vector<double> values;
  std::vector<int> firstOrder;
  for (const EnergyPart& part : result.energy.parts) {
    names.push_back(keyOf(part.id));
    values.push_back(part.value);
    firstOrder.push_back(part.treatment == Treatment::FirstOrder);
  }
  group.write("part_names", names);
  group.write("part_values", values, "hartree");
  group.write("part_first_order", firstOrder);
}

EnergyPartId partOfKey(const std::string& key) {
  for (const EnergyPartKind& kind : kEnergyParts) {
    if (key == kind.key) return kind.id;
  }
  throw Error("the result file has an unknown value '" + key + "'");
}

void readEnergy(const Group& group, Result& result) {
  result.energy.total = group.number("total");
  result.virialRatio = group.number("virial_ratio");
  const std::vector<std::string> names = group.texts("part_names");
  const std::vector<double> values = group.numbers("part_values");
  const std::vector<int> firstOrder = group.wholes("part_first_order");
  requireSize(values.size(), names.size(), "energy/part_values");
  requireSize(firstOrder.size(), names.size(), "energy/part_first_order");
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.energy.add(partOfKey(names[i]), values[i],
                      firstOrder[i] ? Treatment::FirstOrder : Treatment::SelfConsistent);
  }
}

void writeSpinors(Group group, const std::vector<Spinor>& spinors) {
  std::vector<int> n, kappa, bound;
  std::vector<double> occupation, energy, radius, square, inverse;
  std::vector<std::string> labels;
  for (const Spinor& s : spinors) {
    labels.push_back(s.label());
    n.push_back(s.n);
    kappa.push_back(s.symmetry.kappa);
    bound.push_back(s.bound);
    occupation.push_back(s.occupation);
    energy.push_back(s.energy);
    radius.push_back(s.meanRadius.value_or(kAbsent));
    square.push_back(s.meanSquareRadius.value_or(kAbsent));
    inverse.push_back(s.meanInverseRadius.value_or(kAbsent));
  }
  group.write("label", labels);
  group.write("n", n);
  group.write("kappa", kappa);
  group.write("bound", bound);
  group.write("occupation", occupation);
  group.write("energy", energy, "hartree");
  group.write("mean_radius", radius, "bohr");
  group.write("mean_square_radius", square, "bohr^2");
  group.write("mean_inverse_radius", inverse, "bohr^-1");
}

std::optional<double> unlessAbsent(double value) {
  if (value != value) return std::nullopt;
  return value;
}

std::vector<Spinor> readSpinors(const Group& group) {
  const std::vector<int> n = group.wholes("n"), kappa = group.wholes("kappa"), bound = group.wholes("bound");
  const std::vector<double> occupation = group.numbers("occupation"), energy = group.numbers("energy"),
                            radius = group.numbers("mean_radius"),
                            square = group.numbers("mean_square_radius"),
                            inverse = group.numbers("mean_inverse_radius");
  for (const std::size_t size : {kappa.size(), bound.size(), occupation.size(), energy.size(), radius.size(),
                                 square.size(), inverse.size()})
    requireSize(size, n.size(), "a list of spinors");
  std::vector<Spinor> spinors;
  for (std::size_t i = 0; i < n.size(); ++i) {
    if (kappa[i] == 0) throw Error("the result file is damaged: spinors/kappa");
    spinors.push_back({Symmetry{kappa[i]}, n[i], occupation[i], energy[i], bound[i] != 0,
                       unlessAbsent(radius[i]), unlessAbsent(square[i]), unlessAbsent(inverse[i])});
  }
  return spinors;
}

void writeProvenance(Group group, const ResultRecord& record) {
  const Provenance& p = record.result.provenance;
  group.set("program", "CUDAProphet");
  group.set("version", record.version);
  group.set("date", record.date);
  group.set("method", p.method);
  group.set("backend", p.backend);
  group.set("device", p.device);
  group.set("threads", p.threads);
  group.set("remark", p.remark);
  std::vector<std::string> stages;
  std::vector<double> seconds;
  for (const StageTime& time : record.result.timings) {
    stages.push_back(time.id);
    seconds.push_back(time.seconds);
  }
  group.write("stages", stages);
  group.write("seconds", seconds, "s");
}

void readProvenance(const Group& group, ResultRecord& record) {
  Provenance& p = record.result.provenance;
  record.version = group.text("version");
  record.date = group.text("date");
  p.method = group.text("method");
  p.backend = group.text("backend");
  p.device = group.text("device");
  p.threads = group.whole("threads");
  p.remark = group.text("remark");
  const std::vector<std::string> stages = group.texts("stages");
  const std::vector<double> seconds = group.numbers("seconds");
  requireSize(seconds.size(), stages.size(), "provenance/seconds");
  for (std::size_t i = 0; i < stages.size(); ++i) record.result.timings.push_back({stages[i], seconds[i]});
}

void writeWarnings(Group group, const std::vector<Warning>& warnings) {
  std::vector<std::string> ids, texts;
  for (const Warning& w : warnings) {
    ids.push_back(w.id);
    texts.push_back(w.text);
  }
  group.write("id", ids);
  group.write("text", texts);
}

std::vector<Warning> readWarnings(const Group& group) {
  const std::vector<std::string> ids = group.texts("id"), texts = group.texts("text");
  requireSize(texts.size(), ids.size(), "warnings/text");
  std::vector<Warning> warnings;
  for (std::size_t i = 0; i < ids.size(); ++i) warnings.push_back({ids[i], texts[i]});
  return warnings;
}

void writeError(Group& group, const Result& result) {
  if (const auto error = errorEstimate(result)) group.set("error_estimate", *error);
  if (result.basisError) {
    Group basis = group.open("basis");
    basis.set("error_estimate", result.basisError->value);
    basis.set("error_known", static_cast<int>(result.basisError->known));
    basis.set("prolapse_estimate", result.basisError->prolapse);
  }
  if (!result.limit) return;
  group.set("estimated_error", result.limit->estimatedError);
  std::vector<double> table;  // a row for each resolution
  for (const LimitResolution& s : result.limit->resolutions) {
    for (const double value : {1.0 * s.cells, 1.0 * s.splines, 1.0 * s.points, 1.0 * s.iterations,
                               s.largestRadius, s.residual, s.energy})
      table.push_back(value);
  }
  group.write("resolutions", table, "", result.limit->resolutions.size());
}

void readError(const Group& group, Result& result) {
  if (group.has("basis") && group.open("basis").hasAttribute("error_estimate")) {
    const Group basis = group.open("basis");
    result.basisError = BasisError{basis.number("error_estimate"), basis.whole("error_known") != 0,
                                   basis.number("prolapse_estimate")};
  }
  if (!group.hasAttribute("estimated_error")) return;
  constexpr std::size_t kColumns = 7;
  result.limit = LimitDetails{group.number("estimated_error"), {}};
  const std::vector<double> t = group.numbers("resolutions");
  requireSize(t.size() % kColumns, 0, "a row of resolutions");
  for (std::size_t i = 0; i < t.size(); i += kColumns) {
    const auto whole = [&](std::size_t column) { return static_cast<int>(t[i + column]); };
    result.limit->resolutions.push_back(
        {whole(0), whole(1), whole(2), whole(3), t[i + 4], t[i + 5], t[i + 6]});
  }
}

}  // namespace

void writeRecord(Group group, const ResultRecord& record) {
  const Result& result = record.result;
  group.set("id", record.id);
  group.set("title", record.title);
  group.set("status", nameOf(result.status));
  group.set("reason", result.reason);
  group.set("iterations", result.iterations);
  group.writeText("input", record.input);
  writeProblem(group, record.calculation.problem);
  group.set("configuration_source", nameOf(record.calculation.configurationSource));
  writeMethod(group, record.calculation);
  writeEnergy(group.create("energy"), result);
  writeSpinors(group.create("spinors"), result.spinors);
  writeWavefunction(group, record.calculation.problem, result);
  writeError(group, result);
  if (result.wavefunction) {
    const Properties properties = propertiesOf(record.calculation, result);
    Group own = group.create("properties");
    writeProperties(own, properties);
    if (!properties.warnings.empty()) writeWarnings(own.create("warnings"), properties.warnings);
  }
  writeWarnings(group.create("warnings"), result.warnings);
  writeProvenance(group.create("provenance"), record);
}

ResultRecord readRecord(const Group& group) {
  ResultRecord record;
  record.id = group.text("id");
  record.title = group.text("title");
  record.input = group.readText("input");
  record.calculation.problem = readProblem(group);
  if (group.hasAttribute("configuration_source"))  // files of earlier versions do not say
    record.calculation.configurationSource =
        valueNamed<ConfigurationSource>(group.text("configuration_source"))
            .value_or(ConfigurationSource::Given);
  readMethod(group, record.calculation);
  Result& result = record.result;
  result.status = statusNamed(group.text("status"));
  result.reason = group.text("reason");
  result.iterations = group.whole("iterations");
  readEnergy(group.open("energy"), result);
  result.spinors = readSpinors(group.open("spinors"));
  const Calculation& calculation = record.calculation;
  readWavefunction(group, calculation.isLimit() ? nullptr : &calculation.inBasis().basis, result);
  readError(group, result);
  result.warnings = readWarnings(group.open("warnings"));
  readProvenance(group.open("provenance"), record);
  return record;
}

}  // namespace prophet::hdf5

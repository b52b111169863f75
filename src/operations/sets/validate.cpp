#include "operations/audit/validate.hpp"

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "bases/collections/collection.hpp"
#include "core/common/stopwatch.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/input/job.hpp"

namespace prophet {
namespace {

struct ValidateRequest {
  std::vector<int> elements;
  ValidateAgainst against = ValidateAgainst::Limit;
  std::optional<NuclearModel> nucleus;
  std::optional<double> threshold;
  std::string library;
  Job job{};  ///< whose Hamiltonian is that of both energies
  bool selfConsistent = false;
};

void checkTogether(ValidateRequest& r) {
  Hamiltonian& h = r.job.hamiltonian;
  if (r.selfConsistent) h.breitTreatment = h.qedTreatment = Treatment::SelfConsistent;
  const char* part = h.hasBreit() ? "breit" : h.qed.vacuumPolarisation ? "qedvp" : "qedse";
  if (!h.isFourComponent() && h.hasCorrections()) throw SettingError(part, "belongs to hamiltonian dirac");
  if (r.selfConsistent && !h.hasCorrections())
    throw SettingError("self_consistent", "requires breit=, qedvp= or qedse=");
  if (r.against == ValidateAgainst::Limit) return;
  if (h.hasCorrections() || !h.isFourComponent())
    throw SettingError(h.hasCorrections() ? part : "hamiltonian",
                       "needs against limit; the published energies are Dirac-Coulomb");
}

RequestTable<ValidateRequest> validateTable() {
  using R = ValidateRequest;
  RequestTable<R> t;
  addElementsRow(t).byDefault("1-118; with a library the elements that it has");
  t.add("against", &R::against,
        Names<ValidateAgainst>{{"limit", ValidateAgainst::Limit}, {"reference", ValidateAgainst::Reference}},
        "compare the basis sets with the numerical limit, or the limit with published energies");
  t.add("nucleus", &R::nucleus, wordsOf<NuclearModel>(), "nuclear model")
      .byDefault("that of each set, or of each published energy");
  t.add("threshold", &R::threshold, "largest relative difference")
      .above(0)
      .byDefault("5e-9 for limit, 1e-10 for reference");
  t.add("basis", &R::library, "collection of basis sets")
      .called("NAME")
      .alias("library")
      .byDefault("the program's");
  const auto addKeyword = [&t](const char* name, const std::string& text) -> auto& {
    const Keyword& keyword = *findKeyword("contrl", name);
    return t.add(name, ValueType::Text, text, [&keyword](R& r, const Json& v) { keyword.read(r.job, v); })
        .oneOf(keyword.choices);
  };
  addKeyword("hamiltonian", "Hamiltonian of both energies").oneOf({"dirac", "nonrel"}).byDefault("dirac");
  addKeyword("breit", "also compare the Breit interaction").byDefault("none");
  addKeyword("qedvp", "also compare the vacuum polarisation").byDefault("none");
  addKeyword("qedse", "also compare the self-energy").byDefault("none");
  t.add("self_consistent", &R::selfConsistent,
        "compute these parts self-consistently (default: in first order)");
  t.afterwards(checkTogether);
  return t;
}

/// What would fail in every row is refused.
ValidationTask taskOf(const ValidateRequest& r, const Execution& execution) {
  ValidationTask task;
  task.elements = r.elements;
  task.against = r.against;
  task.model = r.nucleus;
  task.threshold = r.threshold.value_or(defaultThreshold(r.against));
  task.collection = r.library;
  task.basisSets = execution.basisSets;
  task.hamiltonian = r.job.hamiltonian;
  task.threads = execution.threadsOrAll();
  std::vector<int> all;
  try {
    all = libraryElements(task.collection, task.basisSets);
  } catch (const Error& e) {
    throw SettingError("basis", e.what());
  }
  if (task.elements.empty())
    task.elements =
        r.against == ValidateAgainst::Reference || r.library.empty() ? parseElements("1-118") : all;
  if (planValidation(task).empty())
    throw SettingError("against",
                       "there is no published energy for these elements and this nucleus (point and fermi "
                       "are available); limit needs none");
  return task;
}

Record validate(const ValidateRequest& request, const Execution& execution) {
  const Stopwatch watch;
  const ValidationTask task = taskOf(request, execution);
  std::string report;
  const auto tell = [&](const std::string& part) {
    report += part;
    execution.tell(part);
  };
  tell(validationHead(task));
  const std::size_t total = planValidation(task).size();
  std::size_t finished = 0;
  execution.show({"rows", 0, total});
  const std::vector<ValidationRow> rows = validate(task, [&](const ValidationRow& row) {
    pass(execution.checkpoint);
    tell(validationLine(row));
    execution.show({"rows", ++finished, total});
  });
  tell(validationSummary(task, rows));
  Record record = validationRecord(task, rows);
  record.report = std::move(report);
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation validateOperation() {
  Operation o;
  o.name = "validate";
  o.summary = "comparison of basis-set energies, numerical limits and published energies";
  o.description =
      "Compares energies in basis sets with the numerical limit, or the limit with published energies of "
      "other programs. The exit status is 1 if a comparison fails.";
  o.example = "validate";
  o.tables = [] {
    Table withParts = validationColumns(
        {}, {EnergyPartId::Gaunt, EnergyPartId::BreitGauge, EnergyPartId::VacuumPolarisation,
             EnergyPartId::KallenSabry, EnergyPartId::WichmannKroll, EnergyPartId::SelfEnergy});
    withParts.firstWith = "breit, qedvp, qedse";
    return std::vector{validationColumns({}, {}), withParts};
  };
  return operationOf(std::move(o), validateTable(),
                     [](const ValidateRequest& r, const Execution& e) { return validate(r, e); });
}

}  // namespace prophet

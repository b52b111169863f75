#include "operations/validate/validate.hpp"

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "bases/optimise/collection.hpp"
#include "core/common/stopwatch.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
namespace {

struct ValidateRequest {
  std::vector<int> elements;
  ValidateAgainst against = ValidateAgainst::Limit;
  std::optional<NuclearModel> nucleus;
  std::optional<double> threshold;
  std::string library, hamiltonian = "dirac", breit = "none", qedvp = "none", qedse = "none";
  bool selfConsistent = false;
};

Hamiltonian hamiltonianOf(const ValidateRequest& r) {
  Hamiltonian h;
  h.oneElectron = *oneElectronOperatorNamed(r.hamiltonian);
  h.repulsion = operatorNamed(r.breit);
  h.qed = qedNamed(r.qedvp, r.qedse);
  if (r.selfConsistent) h.breitTreatment = h.qedTreatment = Treatment::SelfConsistent;
  return h;
}

void checkTogether(const ValidateRequest& r) {
  const Hamiltonian h = hamiltonianOf(r);
  const char* part = r.breit != "none" ? "breit" : r.qedvp != "none" ? "qedvp" : "qedse";
  if (!h.isFourComponent() && h.hasCorrections()) throw SettingError(part, "belongs to hamiltonian dirac");
  if (r.selfConsistent && !h.hasCorrections())
    throw SettingError("self_consistent", "means something only with breit, qedvp or qedse");
  if (r.against == ValidateAgainst::Limit) return;
  if (h.hasCorrections() || !h.isFourComponent())
    throw SettingError(h.hasCorrections() ? part : "hamiltonian",
                       "needs against limit; the shipped figures are Dirac-Coulomb");
}

RequestTable<ValidateRequest> validateTable() {
  using R = ValidateRequest;
  RequestTable<R> t;
  t.add("elements", ValueType::Any, "elements: 1-10,18,Rn",
        [](R& r, const Json& v) { r.elements = elementsFrom(v); })
      .called("LIST")
      .byDefault("1-118; with a library those that it has");
  t.add("against", &R::against,
        Names<ValidateAgainst>{{"limit", ValidateAgainst::Limit}, {"reference", ValidateAgainst::Reference}},
        "the basis sets against the numerical limit, or the limit against shipped figures");
  t.add("nucleus", ValueType::Text, "the charge of the nucleus",
        [](R& r, const Json& v) { r.nucleus = nuclearModelNamed(v); })
      .oneOf(wordsOf<NuclearModel>())
      .byDefault("that of each set; every figure");
  t.add("threshold", &R::threshold, "largest relative difference")
      .above(0)
      .byDefault("5e-9 for limit, 1e-10 for reference");
  t.add("library", &R::library, "collection of basis sets").called("NAME").byDefault("the program's");
  t.add("hamiltonian", &R::hamiltonian, "of both energies").oneOf({"dirac", "nonrel"}).byDefault("dirac");
  t.add("breit", &R::breit, "compare the Breit interaction too")
      .oneOf(findKeyword("contrl", "breit")->choices)
      .byDefault("none");
  t.add("qedvp", &R::qedvp, "compare the vacuum polarisation too")
      .oneOf(findKeyword("contrl", "qedvp")->choices)
      .byDefault("none");
  t.add("qedse", &R::qedse, "compare the self-energy too")
      .oneOf(findKeyword("contrl", "qedse")->choices)
      .byDefault("none");
  t.add("self_consistent", &R::selfConsistent, "these parts self-consistent (default: in first order)");
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
  task.hamiltonian = hamiltonianOf(r);
  task.threads = execution.threadsOrAll();
  std::vector<int> all;
  try {
    all = libraryElements(task.collection, task.basisSets);
  } catch (const Error& e) {
    throw SettingError("library", e.what());
  }
  if (task.elements.empty())
    task.elements =
        r.against == ValidateAgainst::Reference || r.library.empty() ? parseElements("1-118") : all;
  if (planValidation(task).empty())
    throw SettingError(
        "against",
        "no figure is shipped for these elements and this nucleus (there are point and fermi ones); "
        "limit needs none");
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
  o.summary = "basis-set energies, the numerical limit and shipped figures side by side";
  o.description =
      "Compares energies in basis sets, the numerical limit and shipped figures of other programs. Something "
      "that fails "
      "is status 1.";
  o.example = "validate";
  o.table = "of docs/theory/validation.md";
  return operationOf(std::move(o), validateTable(), validate);
}

}  // namespace prophet

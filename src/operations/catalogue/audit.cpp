#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bases/audit/audit.hpp"

#include "core/common/stopwatch.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/report/audit_report.hpp"

namespace prophet {
namespace {

RequestTable<AuditTask> auditTable() {
  using R = AuditTask;
  RequestTable<R> t;
  t.add("sets", &R::sets, "basis sets: files, or collections of the library")
      .called("FILE-or-NAME")
      .isFile(FileUse::ReadIfThere)
      .asWord()
      .mustBeGiven();
  t.add("elements", ValueType::Any, "elements: 1-10,18,Rn",
        [](R& r, const Json& v) { r.elements = elementsFrom(v); })
      .called("LIST")
      .byDefault("all that a set has");
  t.add("nucleus", &R::nucleus, nuclearModelNames(), "the charge of the nucleus");
  t.add("limits", &R::limits,
        Names<AuditLimits>{{"known", AuditLimits::Known},
                           {"compute", AuditLimits::Compute},
                           {"estimate", AuditLimits::Estimate}},
        "the table shipped with the program (neutral atoms, Gaussian and point nuclei), computed where it "
        "has none; "
        "all computed; none, the estimated error stands for the distance");
  t.add("no_gradient", ValueType::Logical, "leave the largest dE/d ln zeta out: less time",
        [](R& r, const Json& v) { r.gradient = !v.get<bool>(); });
  t.add("from", &R::format, fmt::format("{} or inp: what the files are", fmt::join(basisFormatNames(), ", ")))
      .called("NAME")
      .byDefault("their content decides");
  return t;
}

Record audit(const AuditTask& request, const Execution& execution) {
  const Stopwatch watch;
  AuditTask task = request;
  task.basisSets = execution.basisSets;
  std::vector<AuditedSet> sets;
  try {
    sets = planAudit(task);
  } catch (const Error& e) {
    throw SettingError("sets", e.what());
  }
  const auto service = openEnergyService(execution, false);
  computeAudit(task, *service, sets, [&](std::size_t finished, std::size_t total) {
    execution.show({"calculations", finished, total});
  });
  pass(execution.checkpoint);  // calculations that it ended are no rows to be shown
  Record record = auditRecord(task, sets);
  record.device = service.device();
  record.warn("device", service->notes());
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation auditOperation() {
  Operation o;
  o.name = "audit";
  o.command = "basis audit";
  o.summary = "how good basis sets are, element by element";
  o.description =
      "For each element of basis sets (files, or collections of the library): energy of the neutral atom, "
      "distance from "
      "the complete-basis limit, which l is short, prolapse, smallest overlap eigenvalue, outliers along the "
      "rows of "
      "the periodic table and odd gaps between exponents (docs/how-to/basis-audit.md). Contracted sets are "
      "taken "
      "uncontracted. "
      "An element without an energy is status 1.";
  o.example = "basis audit FILE-or-NAME... [--elements ELEMENTS]";
  o.table = "of docs/how-to/basis-audit.md; 'python -m cudaprophet plot audit FILE' draws it";
  return operationOf(std::move(o), auditTable(), audit);
}

}  // namespace prophet

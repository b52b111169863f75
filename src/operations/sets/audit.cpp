#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/audit/audit.hpp"

#include "core/common/stopwatch.hpp"
#include "operations/audit/audit_report.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"

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
  addElementsRow(t).byDefault("all that a set has");
  t.add("nucleus", &R::nucleus, wordsOf<NuclearModel>(), "nuclear model");
  t.add("limits", &R::limits,
        Names<AuditLimits>{{"known", AuditLimits::Known},
                           {"compute", AuditLimits::Compute},
                           {"estimate", AuditLimits::Estimate}},
        "from the table that comes with the program (neutral atoms, Gaussian and point nuclei), computed if "
        "it has none; all computed; or none, with the estimated error as the distance");
  t.add("no_gradient", ValueType::Logical, "omit the largest dE/d ln zeta, which saves time",
        [](R& r, const Json& v) { r.gradient = !v.get<bool>(); });
  t.add("second_order", &R::secondOrder,
        "also the energy of second order of the valence, in all functions of the set (docs/how-to/tiers.md)");
  t.add("core_valence", &R::coreValence,
        "also the energy of second order of the valence and of the outer core with it");
  t.add("from", &R::format,
        fmt::format("{} or inp: format of the files", fmt::join(basisFormatNames(), ", ")))
      .called("NAME")
      .byDefault("recognised by their content");
  return t;
}

Record audit(const AuditTask& request, const Execution& execution) {
  const Stopwatch watch;
  AuditTask task = request;
  task.basisSets = execution.basisSets;
  task.threads = execution.threadsOrAll();
  std::vector<AuditedSet> sets;
  try {
    sets = planAudit(task);
  } catch (const Error& e) {
    throw SettingError("sets", e.what());
  }
  const auto service = openEngine<EnergyService>(execution, false);
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
      "Audits basis sets (files, or collections of the library). For each element it determines the energy "
      "of the neutral atom, its distance from the complete-basis limit, the l that lacks most, the prolapse, "
      "the smallest overlap eigenvalue, outliers along the rows of the periodic table, and odd gaps between "
      "exponents (docs/how-to/basis-audit.md). Contracted sets are used uncontracted. The exit status is 1 "
      "if an "
      "element has no energy.";
  o.example = "basis audit FILE-or-NAME... [--elements ELEMENTS]";
  o.tables = [] { return std::vector{auditColumns({})}; };
  return operationOf(std::move(o), auditTable(), audit);
}

}  // namespace prophet

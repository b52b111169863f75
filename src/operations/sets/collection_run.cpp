#include "operations/sets/collection_run.hpp"

#include <fmt/format.h>

#include "atoms/atom/elements.hpp"

namespace prophet {
namespace {

std::string rowLine(const CollectionRow& r) {
  if (!r.failure.empty()) return fmt::format("{:>3} {:<2} failed: {}\n", r.z, symbolOf(r.z), r.failure);
  if (r.skipped) return fmt::format("{:>3} {:<2} exists already\n", r.z, symbolOf(r.z));
  const std::string prolapse = r.prolapse > 0 ? fmt::format(", prolapse {:.1e} hartree", r.prolapse) : "";
  return fmt::format("{:>3} {:<2} {:>4} functions, energy {:.9f}, error {:.2e}{}{}, {:.1f} s\n", r.z,
                     symbolOf(r.z), r.functions, r.energy, r.error, prolapse,
                     r.met ? "" : " (threshold missed)", r.seconds);
}

std::string statusOf(const CollectionRow& r) {
  return !r.failure.empty() ? "failed" : r.skipped ? "was there" : r.met ? "made" : "threshold missed";
}

}  // namespace

std::vector<CollectionRow> runAndTell(const CollectionTask& task, const CollectionOptions& options,
                                      const SetMaker& maker, const Execution& execution,
                                      std::string& report) {
  CollectionObserver observer;
  std::size_t finished = 0;
  if (!execution.brief)
    observer.log = [&](int z, const std::string& text) {
      execution.tell(fmt::format("    {:<2} {}\n", symbolOf(z), text));
    };
  observer.finished = [&](const CollectionRow& row) {
    pass(execution.checkpoint);
    report += rowLine(row);
    execution.tell(rowLine(row));
    execution.show({"elements", ++finished, task.elements.size()});
  };
  execution.canResume();
  execution.show({"elements", 0, task.elements.size()});
  return runCollection(task, options, maker, observer);
}

Table collectionTable(const std::vector<CollectionRow>& rows) {
  using R = const CollectionRow&;
  const auto made = [](double CollectionRow::*member) {
    return [member](R r) {
      return r.skipped || !r.failure.empty() ? std::nullopt : std::optional<double>(r.*member);
    };
  };
  return {
      "elements",
      {columnOf(rows, {"Z", "1", "nuclear charge"}, [](R r) { return r.z; }),
       columnOf(rows, {"symbol", "", "symbol"}, [](R r) { return symbolOf(r.z); }),
       columnOf(rows, {"status", "", "`made`, `threshold missed`, `was there` or `failed`"}, statusOf),
       columnOf(rows, {"functions", "1", "number of functions"}, [](R r) { return r.functions; }),
       columnOf(rows, {"energy_hartree", "hartree", "energy in the set"}, made(&CollectionRow::energy)),
       columnOf(rows, {"limit_hartree", "hartree", "energy at the numerical limit"},
                made(&CollectionRow::limit)),
       columnOf(rows, {"error", "1", "energy less limit, relative to the limit"},
                made(&CollectionRow::error)),
       columnOf(rows, {"prolapse_hartree", "hartree", "estimated prolapse"}, made(&CollectionRow::prolapse)),
       columnOf(rows, {"seconds", "s", "elapsed time"}, [](R r) { return r.seconds; }),
       columnOf(rows, {"reason", "", "why there is no set"}, [](R r) { return r.failure; })},
      Table::Layout::Rows};
}

std::size_t missedIn(const std::vector<CollectionRow>& rows) {
  std::size_t missed = 0;
  for (const CollectionRow& row : rows) missed += row.failure.empty() && (row.skipped || row.met) ? 0 : 1;
  return missed;
}

}  // namespace prophet

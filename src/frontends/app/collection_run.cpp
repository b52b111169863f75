#include "frontends/app/collection_run.hpp"

#include <fmt/format.h>

#include "atoms/atom/elements.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"

namespace prophet {
namespace {

std::string rowLine(const CollectionRow& r) {
  if (!r.failure.empty()) return fmt::format("{:>3} {:<2} failed: {}\n", r.z, symbolOf(r.z), r.failure);
  if (r.skipped) return fmt::format("{:>3} {:<2} was there\n", r.z, symbolOf(r.z));
  const std::string prolapse = r.prolapse > 0 ? fmt::format(", prolapse {:.1e} hartree", r.prolapse) : "";
  return fmt::format("{:>3} {:<2} {:>4} functions, energy {:.9f}, error {:.2e}{}{}, {:.1f} s\n", r.z,
                     symbolOf(r.z), r.functions, r.energy, r.error, prolapse,
                     r.met ? "" : " (threshold missed)", r.seconds);
}

}  // namespace

std::vector<CollectionRow> runAndPrint(const CollectionTask& task, const CollectionOptions& options,
                                       const SetMaker& maker, bool quiet) {
  ProgressLine progress("elements", !quiet);
  CollectionObserver observer;
  std::size_t finished = 0;
  if (!quiet) {
    observer.log = [&](int z, const std::string& text) {
      progress.print(fmt::format("    {:<2} {}\n", symbolOf(z), text));
    };
  }
  observer.finished = [&](const CollectionRow& row) {
    progress.print(rowLine(row));
    progress.show(++finished, task.elements.size());
  };
  progress.show(0, task.elements.size());
  return runCollection(task, options, maker, observer);
}

std::size_t missedIn(const std::vector<CollectionRow>& rows) {
  std::size_t missed = 0;
  for (const CollectionRow& row : rows) missed += row.failure.empty() && (row.skipped || row.met) ? 0 : 1;
  return missed;
}

}  // namespace prophet

#include "frontends/app/batch_summary.hpp"

#include <fmt/format.h>

#include <fstream>
#include <unordered_map>
#include <unordered_set>

#include "atoms/service/json_lines.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr std::size_t kListed = 20;

}  // namespace

OutputTally tallyJsonLines(const std::string& path, const std::vector<std::string>& ids) {
  const std::unordered_set<std::string> asked(ids.begin(), ids.end());
  std::ifstream in(path);
  if (!in) throw Error(fmt::format("cannot read {} again", path));
  std::unordered_map<std::string, LineHead> last;  // with --retry-failed a job can have several lines
  std::vector<std::string> order;
  for (std::string line; std::getline(in, line);) {
    LineHead head = headOf(line);
    if (!asked.count(head.id)) continue;
    std::string id = head.id;
    if (last.insert_or_assign(id, std::move(head)).second) order.push_back(std::move(id));
  }
  OutputTally tally;
  for (const std::string& id : order) {
    const LineHead& head = last[id];
    const Status status = statusNamed(head.status);
    tally.count(status);
    if (status == Status::Converged) continue;
    const std::string reason = head.reason.empty() ? head.status : head.reason;
    // Errors of an input file begin with its name.
    const bool named = reason.compare(0, id.size() + 1, id + ":") == 0;
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
  if (run.skipped > 0) text += fmt::format(" ({} were there already)", run.skipped);
  text += "\n";
  for (std::size_t i = 0; i < tally.bad.size() && i < kListed; ++i) text += "  " + tally.bad[i] + "\n";
  if (tally.bad.size() > kListed)
    text += fmt::format("  and {} more; the output file has them\n", tally.bad.size() - kListed);
  for (const std::string& note : run.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace prophet

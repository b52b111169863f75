#include "app/batch_summary.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "common/error.hpp"

namespace prophet {
namespace {

constexpr std::size_t kListed = 20;

}  // namespace

OutputTally tallyJsonLines(const std::string& path, const std::vector<std::string>& ids) {
  const std::set<std::string> asked(ids.begin(), ids.end());
  std::ifstream in(path);
  if (!in) throw Error(fmt::format("cannot read {} again", path));
  OutputTally tally;
  for (std::string line; std::getline(in, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !asked.count(json.value("id", ""))) continue;
    const std::string status = json.value("status", "");
    if (status == nameOf(EnergyStatus::Converged)) {
      ++tally.converged;
      continue;
    }
    ++(status == nameOf(EnergyStatus::NotConverged) ? tally.notConverged : tally.failed);
    tally.bad.push_back(fmt::format("{}: {}", json.value("id", ""), json.value("reason", status)));
  }
  return tally;
}

std::string summaryText(const OutputTally& tally, const BatchSummary& run) {
  std::string text = fmt::format("{} jobs: {} converged, {} not converged, {} failed; {:.2f} s", run.total,
                                 tally.converged, tally.notConverged, tally.failed, run.seconds);
  if (run.skipped > 0) text += fmt::format(" ({} were there already)", run.skipped);
  text += "\n";
  for (std::size_t i = 0; i < tally.bad.size() && i < kListed; ++i) text += "  " + tally.bad[i] + "\n";
  if (tally.bad.size() > kListed)
    text += fmt::format("  and {} more; the output file has them\n", tally.bad.size() - kListed);
  for (const std::string& note : run.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace prophet

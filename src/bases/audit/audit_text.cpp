#include <fmt/format.h>

#include <algorithm>

#include "atoms/atom/elements.hpp"
#include "bases/audit/audit_table.hpp"

namespace prophet {
namespace {

std::string orDash(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string head(const AuditedSet& set) {
  const AuditRow& first = set.rows.front();
  return fmt::format(
      "{} ({} element{}), {} nucleus, uncontracted, occupied l; hartree\n\n"
      "  {:<2} {:<16} {:>20} {:>12} {:>9} {:>9} {:>8} {:>9}  remarks\n",
      set.name, set.rows.size(), set.rows.size() == 1 ? "" : "s", nameOf(first.problem.nucleus.model), "",
      "functions", "energy", "minus limit", "prolapse", "gradient", "short of", "overlap");
}

std::string line(const AuditRow& row) {
  const ShortestL l = shortestL(row);
  const std::string shortOf = l.letter ? fmt::format("{} {:.0f} %", l.letter, 100 * l.share) : "-";
  const auto distance =
      row.minusLimit ? fmt::format("{:.2e}{}", *row.minusLimit, row.limit ? "" : "~") : std::string("-");
  const bool there = row.estimate.has_value();
  return fmt::format(
      "  {:<2} {:<16} {:>20} {:>12} {:>9} {:>9} {:>8} {:>9.1e}  {}\n", symbolOf(row.z),
      occupiedSizes(row.lists), orDash(row.energy, "{:.10f}"), distance,
      there ? fmt::format("{:.1e}", row.prolapse) : "-", orDash(row.gradient, "{:.1e}"), shortOf,
      row.overlap.eigenvalue,
      row.failure.empty() ? row.remarks.empty() ? "" : fmt::format("{}", row.remarks.size()) : "no energy");
}

/// One line for each kind of remark that is the same for many elements, else one for each element.
std::string remarkLines(const AuditedSet& set) {
  std::string text;
  std::size_t contracted = 0;
  for (const AuditRow& row : set.rows) {
    if (!row.failure.empty()) text += fmt::format("  {:<2} {}\n", symbolOf(row.z), row.failure);
    for (const AuditRemark& remark : row.remarks) {
      if (remark.kind == "contracted") {
        ++contracted;
      } else {
        text += fmt::format("  {:<2} {:<17} {}\n", symbolOf(row.z), remark.kind, remark.text);
      }
    }
  }
  if (contracted > 0)
    text += fmt::format("  {} of {} elements are contracted in the file; energies are uncontracted\n",
                        contracted, set.rows.size());
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

ShortestL shortestL(const AuditRow& row) {
  double sum = 0;
  const AuditShare* most = nullptr;
  for (const AuditShare& share : row.shares) {
    const double lack = std::max(0.0, share.lack());
    sum += lack;
    if (!most || lack > most->lack()) most = &share;
  }
  return sum > 0 ? ShortestL{letterOfL(most->l), std::max(0.0, most->lack()) / sum} : ShortestL{};
}

std::string auditText(const std::vector<AuditedSet>& sets) {
  std::string text;
  bool estimated = false;
  for (const AuditedSet& set : sets) {
    text += (text.empty() ? "" : "\n") + head(set);
    for (const AuditRow& row : set.rows) {
      text += line(row);
      estimated = estimated || (row.minusLimit && !row.limit);
    }
    text += remarkLines(set);
  }
  if (estimated) text += "\n~ estimated from the field in the basis; no limit\n";
  return text;
}

}  // namespace prophet

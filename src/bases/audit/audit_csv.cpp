#include <fmt/format.h>
#include <fmt/ranges.h>

#include "atoms/atom/elements.hpp"
#include "bases/audit/audit_table.hpp"
#include "core/common/csv.hpp"

namespace prophet {
namespace {

constexpr int kLargestL = 3;  // of the ground configurations

std::string cell(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

/// Error, then prolapse, of each l.
std::vector<std::string> shareFields(const AuditRow& row) {
  std::vector<std::string> errors(kLargestL + 1), prolapses(kLargestL + 1);
  for (const AuditShare& share : row.shares) {
    if (share.l > kLargestL) continue;
    errors[static_cast<std::size_t>(share.l)] = fmt::format("{}", share.error);
    prolapses[static_cast<std::size_t>(share.l)] = fmt::format("{}", share.prolapse);
  }
  errors.insert(errors.end(), prolapses.begin(), prolapses.end());
  return errors;
}

std::string remarksField(const AuditRow& row) {
  std::vector<std::string> texts;
  for (const AuditRemark& remark : row.remarks) texts.push_back(remark.kind + ": " + remark.text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<std::string> fields(const AuditedSet& set, const AuditRow& row) {
  const bool estimated = row.estimate.has_value();
  std::vector<std::string> f = {symbolOf(row.z),
                                cell(row.energy),
                                cell(row.minusLimit),
                                estimated ? fmt::format("{}", row.prolapse) : "",
                                cell(row.gradient),
                                row.gradientAt,
                                row.limitSource,
                                cell(row.limit),
                                row.limit ? fmt::format("{}", row.limitError) : "",
                                cell(row.estimate)};
  for (std::string& share : shareFields(row)) f.push_back(std::move(share));
  const ShortestL shortest = shortestL(row);
  f.push_back(shortest.letter ? std::string(1, shortest.letter) : "");
  f.push_back(shortest.letter ? fmt::format("{:.4f}", shortest.share) : "");
  f.push_back(fmt::format("{}", row.overlap.eigenvalue));
  f.push_back(row.overlap.list);
  f.push_back(fmt::format("{}", row.functions));
  f.push_back(occupiedSizes(row.lists));
  f.push_back(fmt::format("{}", row.z));
  f.push_back(row.problem.configuration.description);
  f.push_back(nameOf(row.problem.nucleus.model));
  f.push_back(set.name);
  f.push_back(row.failure.empty() ? "ok" : "failed");
  f.push_back(row.failure);
  f.push_back(remarksField(row));
  return f;
}

}  // namespace

std::string auditCsv(const std::vector<AuditedSet>& sets) {
  std::string text =
      "element,energy,minus_limit,prolapse,gradient,gradient_at,limit_source,limit,limit_error,estimate,"
      "error_s,error_p,error_d,error_f,prolapse_s,prolapse_p,prolapse_d,prolapse_f,short_of,short_share,"
      "smallest_overlap,overlap_list,functions,sizes,Z,configuration,nucleus,set,status,reason,remarks\n";
  for (const AuditedSet& set : sets) {
    for (const AuditRow& row : set.rows) {
      std::vector<std::string> f = fields(set, row);
      for (std::string& field : f) field = csvField(field);
      text += fmt::format("{}\n", fmt::join(f, ","));
    }
  }
  return text;
}

}  // namespace prophet

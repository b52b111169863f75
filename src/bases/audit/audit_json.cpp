#include <nlohmann/json.hpp>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "bases/audit/audit_table.hpp"
#include "core/common/json_text.hpp"

namespace prophet {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json listsJson(const AuditRow& row) {
  Json lists = Json::array();
  for (const ExponentList& list : row.lists)
    lists.push_back({{"label", list.label}, {"occupied", list.occupied}, {"exponents", list.exponents}});
  return lists;
}

Json sharesJson(const AuditRow& row) {
  Json shares = Json::array();
  for (const AuditShare& share : row.shares)
    shares.push_back({{"l", std::string(1, letterOfL(share.l))},
                      {"error", share.error},
                      {"lack", share.lack()},
                      {"prolapse", share.prolapse}});
  return shares;
}

Json rowJson(const AuditRow& row) {
  Json j{{"element", symbolOf(row.z)}, {"Z", row.z}, {"status", row.failure.empty() ? "ok" : "failed"}};
  if (!row.failure.empty()) j["reason"] = row.failure;
  j["configuration"] = row.problem.configuration.description;
  j["nucleus"] = nucleusJson(row.problem.nucleus);
  j["energy"] = number(row.energy);
  j["minus_limit"] = number(row.minusLimit);
  j["prolapse"] = row.estimate ? Json(row.prolapse) : Json(nullptr);
  j["gradient"] = number(row.gradient);
  j["gradient_at"] = row.gradientAt;
  j["limit_source"] = row.limitSource;
  j["limit"] = number(row.limit);
  j["limit_error"] = row.limit ? Json(row.limitError) : Json(nullptr);
  j["estimate"] = number(row.estimate);
  j["symmetries"] = sharesJson(row);
  j["smallest_overlap"] = row.overlap.eigenvalue;
  j["overlap_list"] = row.overlap.list;
  j["functions"] = row.functions;
  j["sizes"] = occupiedSizes(row.lists);
  j["lists"] = listsJson(row);
  j["remarks"] = Json::array();
  for (const AuditRemark& remark : row.remarks)
    j["remarks"].push_back({{"kind", remark.kind}, {"list", remark.list}, {"text", remark.text}});
  return j;
}

}  // namespace

std::string auditJson(const std::string& version, const AuditTask& task,
                      const std::vector<AuditedSet>& sets) {
  Json j{{"program", "CUDAProphet"}, {"version", version}, {"audit_version", 1}};
  j["limits"] = nameOf(task.limits);
  j["sets"] = Json::array();
  for (const AuditedSet& set : sets) {
    Json rows = Json::array();
    for (const AuditRow& row : set.rows) rows.push_back(rowJson(row));
    j["sets"].push_back({{"name", set.name}, {"file", set.file}, {"rows", std::move(rows)}});
  }
  // Names and messages may quote files that are not UTF-8.
  return jsonText(j, 1) + "\n";
}

}  // namespace prophet

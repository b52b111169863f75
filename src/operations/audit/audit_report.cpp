#include "operations/audit/audit_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "operations/audit/may_lack.hpp"

namespace prophet {
namespace {

bool hasAny(const AuditedSet& set, std::optional<double> AuditRow::*energy) {
  return std::ranges::any_of(set.rows, [&](const AuditRow& row) { return (row.*energy).has_value(); });
}

std::string head(const AuditedSet& set) {
  const AuditRow& first = set.rows.front();
  return fmt::format(
      "{} ({} element{}), {} nucleus, uncontracted, occupied l; hartree\n\n"
      "  {:<2} {:<16} {:>20} {:>12} {:>9} {:>9}{}{} {:>8} {:>9}  remarks\n",
      set.name, set.rows.size(), set.rows.size() == 1 ? "" : "s", nameOf(first.problem.nucleus.model), "",
      "functions", "energy", "minus limit", "prolapse", "gradient",
      hasAny(set, &AuditRow::secondOrder) ? fmt::format(" {:>12} {:>8}", "second order", "lack") : "",
      hasAny(set, &AuditRow::coreValence) ? fmt::format(" {:>12} {:>8}", "core-valence", "lack") : "",
      "short of", "overlap");
}

std::string line(const AuditRow& row, bool withSecondOrder, bool withCoreValence) {
  const ShortestL l = shortestL(row);
  const std::string shortOf = l.letter ? fmt::format("{} {:.0f} %", l.letter, 100 * l.share) : "-";
  const auto distance =
      row.minusLimit ? fmt::format("{:.2e}{}", *row.minusLimit, row.limit ? "" : "~") : std::string("-");
  const bool there = row.estimate.has_value();
  return fmt::format(
      "  {:<2} {:<16} {:>20} {:>12} {:>9} {:>9}{}{} {:>8} {:>9.1e}  {}\n", symbolOf(row.z),
      occupiedSizes(row.lists), orDash(row.energy, "{:.10f}"), distance,
      there ? fmt::format("{:.1e}", row.prolapse) : "-", orDash(row.gradient, "{:.1e}"),
      withSecondOrder ? fmt::format(" {:>12} {:>8}", orDash(row.secondOrder, "{:.8f}"),
                                    orDash(row.secondOrderLack(), "{:.1e}"))
                      : "",
      withCoreValence ? fmt::format(" {:>12} {:>8}", orDash(row.coreValence, "{:.8f}"),
                                    orDash(row.coreValenceLack(), "{:.1e}"))
                      : "",
      shortOf, row.overlap.eigenvalue,
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

const char* nameOf(AuditLimits limits) {
  if (limits == AuditLimits::Known) return "known";
  return limits == AuditLimits::Compute ? "compute" : "estimate";
}

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
  j["energy"] = jsonNumber(row.energy);
  j["minus_limit"] = jsonNumber(row.minusLimit);
  j["prolapse"] = row.estimate ? Json(row.prolapse) : Json(nullptr);
  j["gradient"] = jsonNumber(row.gradient);
  j["gradient_at"] = row.gradientAt;
  j["second_order"] = jsonNumber(row.secondOrder);
  j["second_order_limit"] = jsonNumber(row.secondOrderLimit);
  j["second_order_lack"] = jsonNumber(row.secondOrderLack());
  j["core_valence_energy"] = jsonNumber(row.coreValence);
  j["core_valence_limit"] = jsonNumber(row.coreValenceLimit);
  j["core_valence_lack"] = jsonNumber(row.coreValenceLack());
  j["limit_source"] = row.limitSource;
  j["limit"] = jsonNumber(row.limit);
  j["limit_error"] = row.limit ? Json(row.limitError) : Json(nullptr);
  j["estimate"] = jsonNumber(row.estimate);
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

/// A row with the set that it is of.
struct SetRow {
  const AuditedSet* set;
  const AuditRow* row;
};

using Number = std::optional<double>;

/// Error or prolapse of an l, where the row has it.
Number shareOf(const AuditRow& row, int l, bool prolapse) {
  for (const AuditShare& share : row.shares)
    if (share.l == l) return prolapse ? share.prolapse : share.error;
  return {};
}

std::string remarksField(const AuditRow& row) {
  std::vector<std::string> texts;
  for (const AuditRemark& remark : row.remarks) texts.push_back(remark.kind + ": " + remark.text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

Table auditColumns(const std::vector<AuditedSet>& sets) {
  constexpr int kLargestGroundL = 3;  // of the ground configurations
  std::vector<SetRow> rows;
  for (const AuditedSet& set : sets)
    for (const AuditRow& row : set.rows) rows.push_back({&set, &row});
  Table table{"table", {}};
  const auto add = [&](const ColumnKind& kind, const auto& value) {
    table.columns.push_back(columnOf(rows, kind, [&](const SetRow& r) { return value(*r.row); }));
  };
  using R = const AuditRow&;
  add({"element", "", "symbol"}, [](R r) { return symbolOf(r.z); });
  add({"energy", "hartree", "energy in the set"}, [](R r) { return r.energy; });
  add({"minus_limit", "hartree", "energy minus limit; negative values indicate prolapse"},
      [](R r) { return r.minusLimit; });
  add({"prolapse", "hartree", "estimated prolapse, 0 or more"},
      [](R r) { return r.estimate ? Number(r.prolapse) : Number(); });
  add({"gradient", "hartree", "largest absolute dE/d ln zeta"}, [](R r) { return r.gradient; });
  add({"gradient_at", "", "the exponent it belongs to: `f 3` is the third-largest of the f list"},
      [](R r) { return r.gradientAt; });
  add({"second_order", "hartree",
       "energy of second order of the valence in all functions of the set; with `second_order`"},
      [](R r) { return r.secondOrder; });
  add({"second_order_limit", "hartree",
       "the same at the numerical limit, of the table `second-order.csv` beside the collections; Gaussian "
       "nuclei"},
      [](R r) { return r.secondOrderLimit; });
  add({"second_order_lack", "hartree", "what the set lacks of `second_order_limit`"},
      [](R r) { return r.secondOrderLack(); });
  add({"core_valence_energy", "hartree",
       "energy of second order of the valence and of the outer core with it, in all functions of the set; "
       "with `core_valence`"},
      [](R r) { return r.coreValence; });
  add({"core_valence_limit", "hartree",
       "the same at the numerical limit, of the table `core-valence-limits.csv` beside the collections; "
       "Gaussian nuclei"},
      [](R r) { return r.coreValenceLimit; });
  add({"core_valence_lack", "hartree", "what the set lacks of `core_valence_limit`"},
      [](R r) { return r.coreValenceLack(); });
  add({"limit_source", "", "`table`, `computed` or `estimate`"}, [](R r) { return r.limitSource; });
  add({"limit", "hartree", "energy at the limit"}, [](R r) { return r.limit; });
  add({"limit_error", "hartree", "its error"}, [](R r) { return r.limit ? Number(r.limitError) : Number(); });
  add({"estimate", "hartree", "estimate of `minus_limit` in a frozen field"}, [](R r) { return r.estimate; });
  for (const bool prolapse : {false, true})
    for (int l = 0; l <= kLargestGroundL; ++l)
      add({std::string(prolapse ? "prolapse_" : "error_") + letterOfL(l), "hartree",
           prolapse ? "part of this l of `prolapse`" : "part of this l of `estimate`"},
          [=](R r) { return shareOf(r, l, prolapse); });
  add({"short_of", "", "the l that the set lacks most of"},
      [](R r) { return shortestL(r).letter ? std::string(1, shortestL(r).letter) : std::string(); });
  add({"short_share", "1", "its share"},
      [](R r) { return shortestL(r).letter ? Number(shortestL(r).share) : Number(); });
  add({"smallest_overlap", "1", "smallest eigenvalue of the overlap matrix"},
      [](R r) { return r.overlap.eigenvalue; });
  add({"overlap_list", "", "the list it belongs to"}, [](R r) { return r.overlap.list; });
  add({"functions", "1", "number of exponents of occupied lists"}, [](R r) { return r.functions; });
  add({"sizes", "", "the same by lists, such as `24s 14p`"}, [](R r) { return occupiedSizes(r.lists); });
  add({"Z", "1", "nuclear charge"}, [](R r) { return r.z; });
  add({"configuration", "", "configuration"}, [](R r) { return r.problem.configuration.description; });
  add({"nucleus", "", "nuclear model"}, [](R r) { return nameOf(r.problem.nucleus.model); });
  table.columns.push_back(
      columnOf(rows, {"set", "", "name of the set"}, [](const SetRow& r) { return r.set->name; }));
  add({"status", "", "`ok` or `failed`"},
      [](R r) { return std::string(r.failure.empty() ? "ok" : "failed"); });
  add({"reason", "", "why there is no energy"}, [](R r) { return r.failure; });
  add({"remarks", "", "remarks, each with its kind"}, remarksField);
  return table;
}

std::string auditText(const std::vector<AuditedSet>& sets) {
  std::string text;
  bool estimated = false;
  for (const AuditedSet& set : sets) {
    text += (text.empty() ? "" : "\n") + head(set);
    for (const AuditRow& row : set.rows) {
      text += line(row, hasAny(set, &AuditRow::secondOrder), hasAny(set, &AuditRow::coreValence));
      estimated = estimated || (row.minusLimit && !row.limit);
    }
    text += remarkLines(set);
  }
  text +=
      "\ngradient: largest dE/d ln zeta; short of: the l with most of the error; overlap: smallest "
      "eigenvalue "
      "of the overlap matrix\n";
  if (estimated) text += "~ estimated from the field in the basis; no limit\n";
  return text;
}

Record auditRecord(const AuditTask& task, const std::vector<AuditedSet>& sets) {
  Record record;
  record.title = "Basis sets under test";
  record.csvComments = false;
  record.report = auditText(sets);
  Json list = Json::array();
  for (const AuditedSet& set : sets) {
    Json rows = Json::array();
    for (const AuditRow& row : set.rows) {
      rows.push_back(rowJson(row));
      if (!row.failure.empty()) record.outcome = Outcome::Failed;
    }
    list.push_back({{"name", set.name}, {"file", set.file}, {"rows", std::move(rows)}});
  }
  record.quantities = {
      {"audit_version", "", 1}, {"limits", "", nameOf(task.limits)}, {"sets", "", std::move(list)}};
  record.tables.push_back(auditColumns(sets));
  return record;
}

}  // namespace prophet

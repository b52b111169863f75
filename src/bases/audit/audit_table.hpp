#pragma once
#include <string>
#include <vector>

#include "bases/audit/audit.hpp"

namespace prophet {

/// The text table: a line for each element of each set, then the remarks.
std::string auditText(const std::vector<AuditedSet>& sets);

/// A row for each element of each set; columns: docs/basis-audit.md.
std::string auditCsv(const std::vector<AuditedSet>& sets);

/// The same with the exponents, all symmetries and all remarks; keys: docs/basis-audit.md.
std::string auditJson(const std::string& version, const AuditTask& task, const std::vector<AuditedSet>& sets);

/// The l with the largest lack and its share of the lack of all, 0 .. 1; `letter` is 0 where there is no
/// lack.
struct ShortestL {
  char letter = 0;
  double share = 0;
};
ShortestL shortestL(const AuditRow& row);

}  // namespace prophet

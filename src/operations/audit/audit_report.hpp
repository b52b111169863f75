#pragma once
#include <string>
#include <vector>

#include "operations/audit/audit.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// The text table: a line for each element of each set, then the remarks.
std::string auditText(const std::vector<AuditedSet>& sets);

/// The table of them: columns with a row for each element of each set.
Table auditColumns(const std::vector<AuditedSet>& sets);
/// A row for each element of each set, and `sets` with the exponents, all symmetries and all remarks; columns
/// and keys: docs/how-to/basis-audit.md.
Record auditRecord(const AuditTask& task, const std::vector<AuditedSet>& sets);

}  // namespace prophet

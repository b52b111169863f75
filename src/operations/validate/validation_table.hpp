#pragma once
#include <string>
#include <vector>

#include "operations/record/record.hpp"
#include "operations/validate/validate.hpp"

namespace prophet {

/// The text table in pieces, as a run prints it: what is compared with which threshold, one line (two where
/// there is more to say) for each row, and the verdict with the sources of the figures.
std::string validationHead(const ValidationTask& task);
std::string validationLine(const ValidationRow& row);
std::string validationSummary(const ValidationTask& task, const std::vector<ValidationRow>& rows);

/// All rows with every digit; columns and keys: docs/validation.md.
Record validationRecord(const ValidationTask& task, const std::vector<ValidationRow>& rows);

}  // namespace prophet

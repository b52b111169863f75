#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "atoms/basis/well_tempered.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/calculation/result.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// Objects that every result has. Keys: docs/reference/json.md.
Json warningsJson(const std::vector<Warning>& warnings);
Json groupsJson(const std::vector<WellTemperedParameters>& groups);

/// Everything but the envelope of a result of an energy or a limit. Without `properties` it has none, which
/// take longer than the rest, nor their warnings.
Json resultJson(const ResolvedJob& job, const Result& result, bool properties = true);

/// The whole as one JSON document. `indent` -1: on one line. Keys:
/// docs/reference/json.md.
std::string jsonResult(const ResolvedJob& job, const Result& result, int indent = 2, bool properties = true);

}  // namespace prophet

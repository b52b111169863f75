#pragma once
#include <string>

#include "atoms/calculation/result.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// The envelope of a job's JSON documents: the request is the text of its input.
Json jobEnvelope(const Job& job);

/// The whole result of an energy or a limit as one JSON document. `indent` -1: on one line. Keys:
/// docs/json.md. Without `properties` it has none, which take longer than the rest, nor their warnings.
std::string jsonResult(const ResolvedJob& job, const Result& result, int indent = 2, bool properties = true);

}  // namespace prophet

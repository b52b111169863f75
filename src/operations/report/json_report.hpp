#pragma once
#include <string>

#include "atoms/calculation/result.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Version of the keys of every JSON document (docs/json.md); it grows when a key changes its meaning or
/// goes.
inline constexpr int kJsonSchema = 2;

/// The whole result of an energy or a limit as one JSON document. `indent` -1: on one line. Keys:
/// docs/json.md. Without `properties` it has none, which take longer than the rest, nor their warnings.
std::string jsonResult(const std::string& version, const ResolvedJob& job, const Result& result,
                       int indent = 2, bool properties = true);

}  // namespace prophet

#pragma once
#include <nlohmann/json.hpp>

#include "atoms/basis/well_tempered.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

using Json = nlohmann::ordered_json;

/// Objects that every result has. Keys: docs/json.md.
Json warningsJson(const std::vector<Warning>& warnings);
Json groupsJson(const std::vector<WellTemperedParameters>& groups);

}  // namespace prophet

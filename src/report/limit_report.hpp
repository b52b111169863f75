#pragma once
#include <string>

#include "calculation/calculation.hpp"
#include "limit/limit.hpp"

namespace prophet {

/// What a limit run is about to do, as text; printed before it starts.
std::string reportLimitJob(const std::string& version, const Calculation& calculation);
/// Energy with its estimated error, both resolutions, and the spinors with <r>, <r^2>, <1/r>.
std::string reportLimit(const Calculation& calculation, const LimitResult& result, double seconds);
/// The same as one JSON document. Keys: docs/json.md.
std::string jsonLimit(const std::string& version, const Calculation& calculation, const LimitResult& result,
                      double seconds, int indent = 2);

}  // namespace prophet

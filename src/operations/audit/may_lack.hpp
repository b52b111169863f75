#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>

#include "operations/record/record.hpp"

namespace prophet {

/// Iterations of the fields whose energies sets are judged by.
inline constexpr int kJudgedIterations = 100;

/// A number that may be missing, in a table and in JSON.
inline std::string orDash(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}
inline Json jsonNumber(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace prophet

#include "core/common/number.hpp"

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "core/common/error.hpp"

namespace prophet {

std::optional<double> parseDouble(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

double numberOf(std::string_view text) {
  const std::optional<double> value = parseDouble(text);
  if (!value || !std::isfinite(*value)) throw Error("'" + std::string(text) + "' is no number");
  return *value;
}

}  // namespace prophet

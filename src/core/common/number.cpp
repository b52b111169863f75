#include "core/common/number.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::string withinError(double value, double error, int most) {
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.{}f}", value, most);
  const int decimals = std::min(most, static_cast<int>(std::ceil(-std::log10(error))));
  if (decimals >= 0) return fmt::format("{:.{}f}", value, decimals);
  const double unit = std::pow(10.0, -decimals);
  return fmt::format("{:.0f}", std::round(value / unit) * unit);
}

}  // namespace prophet

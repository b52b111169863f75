#include "core/common/number.hpp"

#include <charconv>
#include <system_error>

namespace prophet {

std::optional<double> parseDouble(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace prophet

#include "common/number.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace prophet {

std::optional<double> parseDouble(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<double>> parseDoubles(std::string_view words) {
  std::vector<double> values;
  for (;;) {
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    if (words.empty()) return values;
    const std::size_t length = std::min(words.find_first_of(" \t"), words.size());
    const std::optional<double> value = parseDouble(words.substr(0, length));
    if (!value) return std::nullopt;
    values.push_back(*value);
    words.remove_prefix(length);
  }
}

}  // namespace prophet

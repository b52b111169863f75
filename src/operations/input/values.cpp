#include "operations/input/values.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "core/common/text.hpp"

namespace prophet {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t skipDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && isDigit(text[at])) ++at;
  return at;
}

}  // namespace

std::optional<double> parseReal(std::string_view text) {
  // Rewritten in the form that from_chars takes: no plus sign, an e before the exponent.
  std::size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const std::size_t mantissa = at;
  at = skipDigits(text, at);
  std::size_t digits = at - mantissa;
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = skipDigits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) return std::nullopt;
  std::string plain(text.substr(0, at));
  if (plain[0] == '+') plain.erase(0, 1);
  if (at < text.size()) {
    const bool letter = std::string_view("eEdDqQ").find(text[at]) != std::string_view::npos;
    if (letter) ++at;
    const bool sign = at < text.size() && (text[at] == '+' || text[at] == '-');
    if (!letter && !sign) return std::nullopt;
    plain += 'e';
    if (sign) plain += text[at++];
    const std::size_t end = skipDigits(text, at);
    if (end == at || end != text.size()) return std::nullopt;
    plain += text.substr(at);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<int> parseInteger(std::string_view text) {
  const bool sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  const std::size_t digits = text.size() - (sign ? 1 : 0);
  if (digits == 0 || digits > 9 || skipDigits(text, sign ? 1 : 0) != text.size()) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(sign ? 1 : 0)) value = 10 * value + (c - '0');
  return text[0] == '-' ? -value : value;
}

std::optional<bool> parseLogical(std::string_view text) {
  std::string plain = lowerCase(text);
  if (!plain.empty() && plain.front() == '.') plain.erase(0, 1);
  if (!plain.empty() && plain.back() == '.') plain.pop_back();
  if (plain == "t" || plain == "true") return true;
  if (plain == "f" || plain == "false") return false;
  return std::nullopt;
}

}  // namespace prophet

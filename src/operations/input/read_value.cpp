#include "operations/input/read_value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "atoms/atom/elements.hpp"
#include "core/common/text.hpp"
#include "operations/input/values.hpp"

namespace prophet {
namespace {

/// What is wrong with a text for a keyword; empty if it is valid.
std::string textError(const Keyword& keyword, const NamelistValue& value, SettingValue& result) {
  const std::string expected = expectedValue(keyword);
  if (value.kind != NamelistValue::Kind::String) {
    const auto nearest = nearestName(value.text, keyword.choices);
    if (!keyword.choices.empty() && !nearest.empty())
      return fmt::format("texts stand in quotes: '{}'", nearest);
    return "expected " + (keyword.choices.empty() ? expected : expected + " in quotes");
  }
  result.text = value.text;
  if (keyword.choices.empty()) return trimmed(value.text).empty() ? "the text is empty" : "";
  result.text = lowerCase(trimmed(value.text));
  const auto& choices = keyword.choices;
  if (std::find(choices.begin(), choices.end(), result.text) != choices.end()) return "";
  const std::string nearest = nearestName(result.text, choices);
  return "expected " + expected + (nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

/// A name that stands for a whole number, in quotes.
std::string nameError(const Keyword& keyword, const NamelistValue& value, SettingValue& result) {
  const std::string word = lowerCase(trimmed(value.text));
  std::vector<std::string> names;
  for (const NamedNumber& n : keyword.named) {
    names.push_back(n.name);
    if (n.name != word) continue;
    result.number = n.number;
    return "";
  }
  const std::string nearest = nearestName(word, names);
  return "expected " + expectedValue(keyword) +
         (nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

/// A symbol that stands for its nuclear charge, with or without quotes.
bool readElement(const Keyword& keyword, const NamelistValue& value, SettingValue& result) {
  const auto z = keyword.element ? elementOf(trimmed(value.text)) : std::nullopt;
  if (z) result.number = *z;
  return z.has_value();
}

std::string numberError(const Keyword& keyword, const NamelistValue& value, SettingValue& result) {
  const std::string expected = "expected " + expectedValue(keyword);
  if (readElement(keyword, value, result)) return "";
  if (value.kind == NamelistValue::Kind::String)
    return !keyword.named.empty() ? nameError(keyword, value, result)
                                  : expected + (keyword.element ? "" : ", without quotes");
  if (keyword.type == ValueType::Integer) {
    const auto number = parseInteger(value.text);
    if (!number) return expected;
    result.number = *number;
  } else {
    const auto number = parseReal(value.text);
    if (!number) return expected;
    result.number = *number;
  }
  if (keyword.range.contains(result.number)) return "";
  return expected + (keyword.beyond.empty() ? "" : " (" + keyword.beyond + ")");
}

std::string logicalError(const Keyword& keyword, const NamelistValue& value, SettingValue& result) {
  const auto logical = value.kind == NamelistValue::Kind::Word ? parseLogical(value.text) : std::nullopt;
  result.logical = logical.value_or(false);
  return logical ? "" : "expected " + expectedValue(keyword);
}

}  // namespace

bool readValue(const Keyword& keyword, const NamelistValue& value, SettingValue& result,
               Diagnostics& diagnostics) {
  if (value.damaged) return false;
  result.at = value.at;
  const std::string error = keyword.type == ValueType::Text      ? textError(keyword, value, result)
                            : keyword.type == ValueType::Logical ? logicalError(keyword, value, result)
                                                                 : numberError(keyword, value, result);
  if (error.empty()) return true;
  diagnostics.add(value.at, fmt::format("found {}={}; {}", keyword.name, value.written, error));
  return false;
}

}  // namespace prophet

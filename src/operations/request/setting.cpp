#include "operations/request/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kMostNumbers = 1e7;

std::string shown(const Json& value) {
  return value.is_string() ? "'" + value.get<std::string>() + "'" : value.dump();
}

[[noreturn]] void refuse(const Setting& setting, const Json& value) {
  throw Error(fmt::format("found {}; expected {}", shown(value), expectedValue(setting)));
}

double numberOf(const Setting& setting, const Json& value, const Json& whole) {
  double number = std::nan("");
  if (value.is_number()) number = value.get<double>();
  if (value.is_string()) number = parseDouble(trimmed(value.get<std::string>())).value_or(number);
  const bool fits =
      setting.type != ValueType::Integer || (number == std::floor(number) && std::abs(number) < 2e9);
  if (!std::isfinite(number) || !fits || !setting.range.contains(number)) refuse(setting, whole);
  return number;
}

/// The nearest number with ten decimals, so that 3 * 0.05 is 0.15.
double decimal(double x) { return std::round(x * 1e10) / 1e10; }

/// START:STOP:STEP, with both ends.
Json rangeOf(const Setting& setting, const Json& value, const std::vector<std::string>& parts) {
  if (parts.size() != 3) refuse(setting, value);
  const double start = numberOf(setting, parts[0], value), stop = numberOf(setting, parts[1], value);
  const double step = parseDouble(trimmed(parts[2])).value_or(0);
  if (!(step > 0) || stop < start)
    throw Error(fmt::format("found {}; expected a step above 0 and STOP not below START", shown(value)));
  const double steps = std::floor((stop - start) / step * (1 + 1e-12) + 1e-9);
  if (!(steps < kMostNumbers))
    throw Error(fmt::format("found {}, which is more than {:g} numbers", shown(value), kMostNumbers));
  Json list = Json::array();
  for (int i = 0; i <= static_cast<int>(steps); ++i) list.push_back(decimal(start + i * step));
  return list;
}

Json numbersOf(const Setting& setting, const Json& value) {
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    if (text.find(':') != std::string::npos) return rangeOf(setting, value, split(text, ':'));
    Json list = Json::array();
    for (const std::string& word : split(text, ',')) list.push_back(numberOf(setting, word, value));
    return list;
  }
  if (value.is_number()) return Json::array({numberOf(setting, value, value)});
  if (!value.is_array() || value.empty()) refuse(setting, value);
  Json list = Json::array();
  for (const Json& item : value) {
    if (!item.is_number()) refuse(setting, value);
    list.push_back(numberOf(setting, item, item));
  }
  return list;
}

Json byKind(const Setting& setting, const Json& value) {
  Json table = Json::object();
  const auto put = [&](const std::string& kind, const Json& number) {
    if (kind.empty()) refuse(setting, value);
    if (table.contains(kind)) throw Error("two numbers are given for " + kind);
    table[kind] = numberOf(setting, number, value);
  };
  if (value.is_object()) {
    for (const auto& [kind, number] : value.items()) put(kind, number);
    return table;
  }
  if (!value.is_string()) refuse(setting, value);
  for (const std::string& part : split(value.get<std::string>(), ',')) {
    const auto sides = split(part, '=');
    if (sides.size() != 2) refuse(setting, value);
    put(trimmed(sides[0]), sides[1]);
  }
  return table;
}

Json vectorOf(const Setting& setting, const Json& item, const Json& whole) {
  Json vector = Json::array();
  if (item.is_string())
    for (const std::string& word : split(item.get<std::string>(), ','))
      vector.push_back(numberOf(setting, word, whole));
  else if (item.is_array())
    for (const Json& number : item) vector.push_back(numberOf(setting, number, whole));
  if (vector.size() != 3) refuse(setting, whole);
  return vector;
}

Json vectorsOf(const Setting& setting, const Json& value) {
  Json list = Json::array();
  if (value.is_string()) {
    for (const std::string& part : split(value.get<std::string>(), ';'))
      list.push_back(vectorOf(setting, part, value));
  } else if (value.is_array() && !value.empty() && value.front().is_number()) {
    list.push_back(vectorOf(setting, value, value));
  } else if (value.is_array()) {
    for (const Json& item : value) list.push_back(vectorOf(setting, item, value));
  }
  if (list.empty()) refuse(setting, value);
  return list;
}

bool logicalOf(const Setting& setting, const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) {
    const std::string word = lowerCase(trimmed(value.get<std::string>()));
    for (const char* yes : {"true", ".true.", "t", ".t.", "yes", "on"})
      if (word == yes) return true;
    for (const char* no : {"false", ".false.", "f", ".f.", "no", "off"})
      if (word == no) return false;
  }
  refuse(setting, value);
}

std::string textOf(const Setting& setting, const Json& value) {
  if (!value.is_string()) refuse(setting, value);
  const std::string text = value.get<std::string>();
  if (setting.choices.empty()) {
    if (text.empty()) refuse(setting, value);
    return text;
  }
  const std::string word = lowerCase(trimmed(text));
  for (const std::string& choice : setting.choices)
    if (lowerCase(choice) == word) return choice;
  const std::string nearest = nearestName(word, setting.choices);
  throw Error(fmt::format("found {}; expected {}{}", shown(value), expectedValue(setting),
                          nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

Json textsOf(const Setting& setting, const Json& value) {
  const Json list = value.is_array() ? value : Json::array({value});
  Json texts = Json::array();
  for (const Json& item : list) texts.push_back(textOf(setting, item));
  if (texts.empty()) refuse(setting, value);
  return texts;
}

const Setting* find(const std::vector<Setting>& settings, const std::string& name) {
  for (const Setting& s : settings) {
    if (s.name == name || std::find(s.aliases.begin(), s.aliases.end(), name) != s.aliases.end()) return &s;
  }
  return nullptr;
}

std::string unknownSetting(const std::vector<Setting>& settings, const std::string& name) {
  std::vector<std::string> names;
  for (const Setting& s : settings) {
    names.push_back(s.name);
    names.insert(names.end(), s.aliases.begin(), s.aliases.end());
  }
  const std::string nearest = nearestName(name, names);
  return nearest.empty() ? "there is no such setting"
                         : "there is no such setting; did you mean '" + nearest + "'?";
}

std::string joined(const std::vector<SettingProblem>& problems) {
  std::string text;
  for (const SettingProblem& p : problems)
    text += (text.empty() ? "" : "\n") + (p.setting.empty() ? "" : p.setting + ": ") + p.message;
  return text;
}

}  // namespace

RequestErrors::RequestErrors(std::vector<SettingProblem> problems)
    : Error(joined(problems)), problems_(std::move(problems)) {}

bool Range::contains(double value) const {
  return (lowOpen ? value > low : value >= low) && (highOpen ? value < high : value <= high);
}

std::string Range::description() const {
  const bool lower = std::isfinite(low), upper = std::isfinite(high);
  if (lower && upper && !lowOpen && !highOpen) return fmt::format("{:g} to {:g}", low, high);
  const std::string below = fmt::format("{} {:g}", highOpen ? "less than" : "at most", high);
  const std::string above = fmt::format("{} {:g}", lowOpen ? "more than" : "at least", low);
  if (lower && upper) return above + " and " + below;
  return lower ? above : upper ? below : "";
}

std::string enumerate(const std::vector<std::string>& names, std::string_view quote) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* separator = i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("{}{}{}{}", separator, quote, names[i], quote);
  }
  return text;
}

FileUse fileUse(const Setting& setting) {
  return setting.file == FileUse::None && setting.valueName == "FILE" ? FileUse::Read : setting.file;
}

std::string expectedValue(const Setting& setting) {
  if (!setting.expected.empty()) return setting.expected;
  const std::string range = setting.range.description();
  const std::string more =
      (range.empty() ? "" : ", " + range) + (setting.unit.empty() ? "" : ", in " + setting.unit);
  // A word such as GRID says less than the type.
  const bool hasName = setting.valueName.find_first_of(",=") != std::string::npos;
  switch (setting.type) {
    case ValueType::Real:
      return "a number" + more;
    case ValueType::Integer:
      return "a whole number" + more;
    case ValueType::Logical:
      return "true or false";
    case ValueType::Numbers:
      return (hasName ? setting.valueName : "numbers, or START:STOP:STEP") + more;
    case ValueType::ByKind:
      return (hasName ? setting.valueName : "numbers for kinds of atoms, such as Co=0.3,O=0.5") + more;
    case ValueType::Vectors:
      return "vectors X,Y,Z, separated by ';'" + more;
    case ValueType::Text:
    case ValueType::Texts:
    case ValueType::Any:
      break;
  }
  if (!setting.choices.empty()) return enumerate(setting.choices);
  return setting.valueName.empty() ? "a text" : setting.valueName;
}

Json typedValue(const Setting& setting, const Json& value) {
  switch (setting.type) {
    case ValueType::Real:
      return numberOf(setting, value, value);
    case ValueType::Integer:
      return static_cast<std::int64_t>(numberOf(setting, value, value));
    case ValueType::Logical:
      return logicalOf(setting, value);
    case ValueType::Text:
      return textOf(setting, value);
    case ValueType::Numbers:
      return numbersOf(setting, value);
    case ValueType::Texts:
      return textsOf(setting, value);
    case ValueType::ByKind:
      return byKind(setting, value);
    case ValueType::Vectors:
      return vectorsOf(setting, value);
    case ValueType::Any:
      break;
  }
  return value;
}

Json typedValues(const std::vector<Setting>& settings, const Json& values,
                 std::vector<SettingProblem>& problems) {
  Json typed = Json::object();
  for (const auto& [given, value] : values.items()) {
    if (value.is_null()) continue;
    std::string name = lowerCase(given);
    std::replace(name.begin(), name.end(), '-', '_');
    const Setting* setting = find(settings, name);
    if (!setting) {
      problems.push_back({given, unknownSetting(settings, name)});
      continue;
    }
    if (typed.contains(setting->name)) problems.push_back({given, "is given twice"});
    try {
      typed[setting->name] = typedValue(*setting, value);
    } catch (const Error& e) {
      problems.push_back({setting->name, e.what()});
      typed[setting->name] = nullptr;  // given, so that no second complaint says it is missing
    }
  }
  const auto isGiven = [&](const std::string& name) {
    return typed.contains(name) && typed[name] != Json(false);
  };
  for (const Setting& s : settings) {
    if (!isGiven(s.name)) {
      if (s.required) problems.push_back({s.name, "is missing; expected " + expectedValue(s)});
      continue;
    }
    if (!s.needs.empty() && std::none_of(s.needs.begin(), s.needs.end(), isGiven))
      problems.push_back({s.name, "requires " + enumerate(s.needs, "")});
    for (const std::string& other : s.excludes)
      if (isGiven(other)) problems.push_back({s.name, "cannot be given together with " + other});
  }
  return typed;
}

}  // namespace prophet

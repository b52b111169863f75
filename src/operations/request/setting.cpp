#include "operations/request/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kMostNumbers = 1e7;

std::size_t skipDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && isDigit(text[at])) ++at;
  return at;
}

std::string shown(const Json& value) {
  // Names of files need not be UTF-8; a message shows what it can of them.
  return value.is_string() ? "'" + value.get<std::string>() + "'"
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A value to be read, and what messages say was found.
struct Reading {
  const Setting& setting;
  std::string found;
};

[[noreturn]] void refuse(const Reading& r, const std::string& more = "") {
  throw Error(fmt::format("found {}; expected {}{}", r.found, expectedValue(r.setting), more));
}

std::string nearestOf(const std::string& word, const std::vector<std::string>& names) {
  const std::string nearest = nearestName(word, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

/// The number that a word stands for.
double numberOfWord(const Reading& r, const std::string& text) {
  const std::string word = lowerCase(trimmed(text));
  std::vector<std::string> names;
  for (const NamedNumber& n : r.setting.named) {
    if (n.name == word) return n.number;
    names.push_back(n.name);
  }
  const auto z = r.setting.element ? elementOf(trimmed(text)) : std::nullopt;
  if (!z) refuse(r, nearestOf(word, names));
  return *z;
}

double numberOf(const Reading& r, const Json& value) {
  double number = std::nan("");
  if (value.is_number()) number = value.get<double>();
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    const auto parsed = parseReal(trimmed(text));
    if (!parsed) return numberOfWord(r, text);
    number = *parsed;
  }
  const bool fits =
      r.setting.type != ValueType::Integer || (number == std::floor(number) && std::abs(number) < 2e9);
  if (!std::isfinite(number) || !fits) refuse(r);
  if (!r.setting.range.contains(number))
    refuse(r, r.setting.beyond.empty() ? "" : " (" + r.setting.beyond + ")");
  return number;
}

/// The nearest number with ten decimals, so that 3 * 0.05 is 0.15.
double decimal(double x) { return std::round(x * 1e10) / 1e10; }

/// START:STOP:STEP, with both ends: steps that miss STOP would leave out what was asked for.
Json rangeOf(const Reading& r, const std::vector<std::string>& parts) {
  if (parts.size() != 3) refuse(r);
  const double start = numberOf(r, parts[0]), stop = numberOf(r, parts[1]);
  const double step = parseReal(trimmed(parts[2])).value_or(0);
  if (!(step > 0) || stop < start)
    throw Error(fmt::format("found {}; expected a step above 0 and STOP not below START", r.found));
  const double whole = (stop - start) / step, steps = std::round(whole);
  if (!(steps < kMostNumbers))
    throw Error(fmt::format("found {}, which is more than {:g} numbers", r.found, kMostNumbers));
  if (std::abs(whole - steps) > 1e-9 + 1e-12 * steps) {
    const auto end = [&](double n) { return decimal(start + n * step); };
    throw Error(fmt::format("found {}, whose steps miss STOP; it may be {} or {}", r.found,
                            end(std::floor(whole)), end(std::floor(whole) + 1)));
  }
  Json list = Json::array();
  for (int i = 0; i <= static_cast<int>(steps); ++i) list.push_back(decimal(start + i * step));
  return list;
}

/// "0-2" is a range elsewhere.
void refuseDash(const Reading& r, const std::string& word) {
  const std::size_t dash = word.find('-', word.find_first_not_of(" \t-"));
  if (dash == std::string::npos) return;
  const auto start = parseReal(trimmed(word.substr(0, dash))),
             stop = parseReal(trimmed(word.substr(dash + 1)));
  if (start && stop && *stop > *start)
    refuse(r, fmt::format("; a range is written {0:g}:{1:g}:STEP, such as {0:g}:{1:g}:{2:g}", *start, *stop,
                          (*stop - *start) / 20));
}

Json numbersOf(const Reading& r, const Json& value) {
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    if (text.find(':') != std::string::npos) return rangeOf(r, split(text, ':'));
    Json list = Json::array();
    for (const std::string& word : split(text, ',')) {
      refuseDash(r, word);
      list.push_back(numberOf(r, word));
    }
    return list;
  }
  if (value.is_number()) return Json::array({numberOf(r, value)});
  if (!value.is_array() || value.empty()) refuse(r);
  Json list = Json::array();
  for (const Json& item : value) {
    if (!item.is_number()) refuse(r);
    list.push_back(numberOf({r.setting, shown(item)}, item));
  }
  return list;
}

Json byKind(const Reading& r, const Json& value) {
  Json table = Json::object();
  const auto put = [&](const std::string& kind, const Json& number) {
    if (kind.empty()) refuse(r);
    if (table.contains(kind)) throw Error("two numbers are given for " + kind);
    table[kind] = numberOf(r, number);
  };
  if (value.is_object()) {
    for (const auto& [kind, number] : value.items()) put(kind, number);
    return table;
  }
  if (!value.is_string()) refuse(r);
  for (const std::string& part : split(value.get<std::string>(), ',')) {
    const auto sides = split(part, '=');
    if (sides.size() != 2) refuse(r);
    put(trimmed(sides[0]), sides[1]);
  }
  return table;
}

Json vectorOf(const Reading& r, const Json& item) {
  Json vector = Json::array();
  if (item.is_string())
    for (const std::string& word : split(item.get<std::string>(), ',')) vector.push_back(numberOf(r, word));
  else if (item.is_array())
    for (const Json& number : item) vector.push_back(numberOf(r, number));
  if (vector.size() != 3) refuse(r);
  return vector;
}

Json vectorsOf(const Reading& r, const Json& value) {
  Json list = Json::array();
  if (value.is_string()) {
    for (const std::string& part : split(value.get<std::string>(), ';')) list.push_back(vectorOf(r, part));
  } else if (value.is_array() && !value.empty() && value.front().is_number()) {
    list.push_back(vectorOf(r, value));
  } else if (value.is_array()) {
    for (const Json& item : value) list.push_back(vectorOf(r, item));
  }
  if (list.empty()) refuse(r);
  return list;
}

bool logicalOf(const Reading& r, const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) {
    const std::string word = lowerCase(trimmed(value.get<std::string>()));
    if (const auto logical = parseLogical(word)) return *logical;
    if (word == "yes" || word == "on") return true;
    if (word == "no" || word == "off") return false;
  }
  refuse(r);
}

std::string textOf(const Reading& r, const Json& value) {
  if (!value.is_string()) refuse(r);
  const std::string text = value.get<std::string>();
  if (r.setting.choices.empty()) {
    if (text.empty()) refuse(r);
    return text;
  }
  const std::string word = lowerCase(trimmed(text));
  for (const std::string& choice : r.setting.choices)
    if (lowerCase(choice) == word) return choice;
  refuse(r, nearestOf(word, r.setting.choices));
}

Json textsOf(const Reading& r, const Json& value) {
  const Json list = value.is_array() ? value : Json::array({value});
  Json texts = Json::array();
  for (const Json& item : list) texts.push_back(textOf({r.setting, shown(item)}, item));
  if (texts.empty()) refuse(r);
  return texts;
}

/// A name as tables of settings have it: "Bin-Width" is bin_width.
std::string ownSpelling(std::string_view given) {
  std::string name = lowerCase(given);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string unknownSetting(const std::vector<Setting>& settings, const std::string& name) {
  std::vector<std::string> names;
  for (const Setting& s : settings)
    for (std::string& its : s.names()) names.push_back(std::move(its));
  const std::string nearest = nearestName(name, names);
  return nearest.empty() ? "there is no such setting"
                         : "there is no such setting; did you mean '" + nearest + "'?";
}

/// ", or 'word'" for words that stand for what no number does.
std::string namedWords(const Setting& setting) {
  std::string text;
  for (const NamedNumber& n : setting.named) text += fmt::format(", or '{}'", n.name);
  return text;
}

/// ", or its name (1 'point', 2 'sphere', ...)".
std::string namedMeanings(const Setting& setting) {
  std::string text;
  for (const NamedNumber& n : setting.named)
    text += fmt::format("{}{} '{}'", text.empty() ? "" : ", ", n.number, n.name);
  return text.empty() ? "" : ", or its name (" + text + ")";
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

std::vector<std::string> Setting::names() const {
  std::vector<std::string> all{name};
  all.insert(all.end(), aliases.begin(), aliases.end());
  return all;
}

bool Setting::isCalled(std::string_view any) const {
  return name == any || std::ranges::find(aliases, any) != aliases.end();
}

const Setting* settingNamed(const std::vector<Setting>& settings, std::string_view any) {
  const std::string name = ownSpelling(any);
  const auto found = std::ranges::find_if(settings, [&](const Setting& s) { return s.isCalled(name); });
  return found == settings.end() ? nullptr : &*found;
}

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
      return "a number" + more + namedWords(setting) + (setting.element ? ", or an element's symbol" : "");
    case ValueType::Integer:
      return "a whole number" + more + namedMeanings(setting);
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

Json typedValue(const Setting& setting, const Json& value, const std::string& found) {
  const Reading r{setting, found.empty() ? shown(value) : found};
  switch (setting.type) {
    case ValueType::Real:
      return numberOf(r, value);
    case ValueType::Integer:
      return static_cast<std::int64_t>(numberOf(r, value));
    case ValueType::Logical:
      return logicalOf(r, value);
    case ValueType::Text:
      return textOf(r, value);
    case ValueType::Numbers:
      return numbersOf(r, value);
    case ValueType::Texts:
      return textsOf(r, value);
    case ValueType::ByKind:
      return byKind(r, value);
    case ValueType::Vectors:
      return vectorsOf(r, value);
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
    const Setting* setting = settingNamed(settings, given);
    if (!setting) {
      problems.push_back({given, unknownSetting(settings, ownSpelling(given))});
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
  // What is switched off needs nothing, and nothing may stand upon it.
  const auto isGiven = [&](const std::string& name) {
    return typed.contains(name) && typed[name] != Json(false) && typed[name] != Json("none");
  };
  for (const Setting& s : settings) {
    if (!isGiven(s.name)) {
      if (s.required && !typed.contains(s.name))
        problems.push_back({s.name, "is missing; expected " + expectedValue(s)});
      continue;
    }
    if (!s.needs.empty() && std::none_of(s.needs.begin(), s.needs.end(), isGiven)) {
      std::vector<std::string> needs = s.needs;
      for (std::string& name : needs) name += "=";  // the shell makes options of them
      problems.push_back({s.name, "requires " + enumerate(needs, "")});
    }
    for (const std::string& other : s.excludes)
      if (isGiven(other)) problems.push_back({s.name, "cannot be given together with " + other + "="});
  }
  return typed;
}

}  // namespace prophet

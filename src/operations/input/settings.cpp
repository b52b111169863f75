#include "operations/input/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/text.hpp"
#include "operations/input/diagnostics.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/namelist.hpp"

namespace prophet {
namespace {

/// The atom or ion that a value of a nuclear charge names: "Fe", "Fe2+".
std::optional<Species> atomNamed(const NamelistValue& value) {
  const std::string text = trimmed(value.text);
  if (text.empty() || !isLetter(text[0])) return std::nullopt;
  try {
    Species species = parseSpecies(text);
    return species.configuration.empty() ? std::optional(std::move(species)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Why a value names no atom though it is of an element: an ion without electrons, an isotope. Empty where it
/// says nothing of an element.
std::string whyNoAtom(const std::string& text) {
  const auto begin = std::ranges::find_if_not(text, isDigit),
             end = std::find_if_not(begin, text.end(), isLetter);
  const bool alone = begin == text.begin() && end == text.end();
  if (alone || !elementOf(std::string(begin, end))) return "";
  try {
    parseSpecies(text);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

/// What is wrong with the quotes of a value: texts and names of numbers stand in them, and nothing else.
std::string quotesError(const Keyword& keyword, const NamelistValue& value) {
  const std::string expected = "expected " + expectedValue(keyword);
  const bool quoted = value.kind == NamelistValue::Kind::String;
  if (keyword.type == ValueType::Numbers || keyword.type == ValueType::ByKind)
    return quoted || parseReal(value.text) ? "" : expected + " in quotes";
  if (keyword.type == ValueType::Text) {
    if (quoted) return keyword.choices.empty() && trimmed(value.text).empty() ? "the text is empty" : "";
    const std::string nearest = nearestName(value.text, keyword.choices);
    if (!nearest.empty()) return fmt::format("put texts in quotes: '{}'", nearest);
    return expected + (keyword.choices.empty() ? "" : " in quotes");
  }
  if (keyword.type == ValueType::Logical) return !quoted && parseLogical(value.text) ? "" : expected;
  if (keyword.element) {
    if (atomNamed(value)) return "";
    if (std::string why = whyNoAtom(trimmed(value.text)); !why.empty()) return why;
  }
  const bool number = keyword.type == ValueType::Integer ? parseInteger(value.text).has_value()
                                                         : parseReal(value.text).has_value();
  if (quoted && (number || keyword.named.empty()))
    return expected + (keyword.element ? "" : ", without quotes");
  return quoted || number ? "" : expected;
}

/// A value as it is written: a number, a logical or a text.
Json writtenValue(const NamelistValue& value) {
  if (value.kind == NamelistValue::Kind::Word) {
    if (const auto number = parseReal(value.text)) return *number;
    if (const auto logical = parseLogical(value.text)) return *logical;
  }
  return value.text;
}

/// Reads one value (not a null one) as a keyword's type and checks its range or choices. Adds an error and
/// returns false if it does not fit; returns false silently for values that were reported before.
bool readValue(const Language& language, const Setting& setting, const NamelistValue& value,
               GivenValue& result, Diagnostics& diagnostics) {
  if (value.damaged) return false;
  if (language.isOfOperation(setting)) {
    result = {writtenValue(value), value.at};
    return true;
  }
  const Keyword& keyword = *findKeyword(setting.group, setting.name);
  const std::string found = keyword.name + "=" + value.written;
  try {
    if (const std::string error = quotesError(keyword, value); !error.empty())
      throw Error("found " + found + "; " + error);
    const auto atom = keyword.element ? atomNamed(value) : std::nullopt;
    result = {typedValue(keyword, atom ? symbolOf(atom->z) : value.text, found), value.at};
    return true;
  } catch (const Error& e) {
    diagnostics.add(value.at, e.what());
    return false;
  }
}

/// Largest index of an array of a keyword.
int largestIndex(const Setting& keyword) {
  switch (keyword.size) {
    case SizeRule::PerSymmetry:
      return kMostJobSymmetries;
    case SizeRule::FourPerGroup:
      return 4 * kMostJobSymmetries;
    case SizeRule::One:
      break;
  }
  return 1;
}

/// Whether a value may be a list of any length, which operations have.
bool isList(const Setting& setting) {
  return setting.type == ValueType::Numbers || setting.type == ValueType::Texts ||
         setting.type == ValueType::Vectors || setting.type == ValueType::Any;
}

/// "did you mean ...?", or the group that a keyword belongs to, or all that is possible.
std::string unknownKeywordHint(const Language& language, const std::string& group, const std::string& name) {
  const std::vector<std::string> names = language.settings(group);
  for (const std::string& other : language.groups())
    if (!language.isOperation(group) && language.setting(other, name))
      return fmt::format("it belongs to ${}", other);
  const std::string nearest = nearestName(name, names);
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  return "expected " + enumerate(names, "");
}

/// The name of a group; for an unknown one an error and the group that was most likely meant, or nothing.
std::string checkedGroup(const Language& language, const NamelistGroup& group,
                         const std::set<std::string>& inFile, Diagnostics& diagnostics) {
  if (std::string known = language.group(group.name); !known.empty()) return known;
  std::vector<std::string> names = language.groups();
  for (std::string& name : names) name.insert(0, "$");
  const std::string nearest = nearestName("$" + group.name, names);
  diagnostics.add(group.at, fmt::format("unknown group '${}'; {}", group.name,
                                        nearest.empty() ? "expected " + enumerate(names, "")
                                                        : fmt::format("did you mean '{}'?", nearest)));
  const std::string meant = nearest.empty() ? "" : nearest.substr(1);
  return inFile.contains(meant) ? "" : meant;
}

/// The keyword of an assignment; for an unknown one an error and the keyword that was most likely meant,
/// unless the group sets that one too, or nullptr.
const Setting* checkedKeyword(const Language& language, const std::string& group,
                              const NamelistAssignment& assignment,
                              const std::set<const Setting*>& setByGroup, Diagnostics& diagnostics) {
  if (const Setting* known = language.setting(group, assignment.name)) return known;
  if (assignment.damaged) return nullptr;
  diagnostics.add(assignment.at, fmt::format("unknown keyword '{}' in ${}; {}", assignment.written, group,
                                             unknownKeywordHint(language, group, assignment.name)));
  const Setting* meant = language.setting(group, nearestName(assignment.name, language.settings(group)));
  return setByGroup.count(meant) > 0 ? nullptr : meant;
}

/// Puts the values of one assignment into a setting.
class AssignmentReader {
 public:
  AssignmentReader(const Language& language, const NamelistAssignment& assignment, GivenKeyword& setting,
                   Diagnostics& diagnostics)
      : language_(language),
        assignment_(assignment),
        setting_(setting),
        keyword_(*setting.keyword),
        diagnostics_(diagnostics) {}

  void read() {
    if (assignment_.damaged || !checkShape() || !checkPresence()) {
      setting_.damaged = true;
      return;
    }
    int index = assignment_.first.value_or(1);
    for (const NamelistValue& value : assignment_.values) {
      if (!readElement(index++, value)) setting_.damaged = true;
    }
    if (!assignment_.first) setting_.listLength = static_cast<int>(assignment_.values.size());
  }

 private:
  bool fail(Position at, const std::string& message) {
    diagnostics_.add(at, message);
    return false;
  }

  bool checkShape() {
    const int most = largestIndex(keyword_), count = static_cast<int>(assignment_.values.size());
    const int first = assignment_.first.value_or(1);
    if (assignment_.first && most == 1) {
      return fail(assignment_.at, fmt::format("'{}' takes one value and no index", keyword_.name));
    }
    if (first > most) {
      return fail(assignment_.at,
                  fmt::format("found {}({}); expected an index from 1 to {}", keyword_.name, first, most));
    }
    if (isList(keyword_)) return true;
    const int room = std::min(most, assignment_.last.value_or(most)) - first + 1;
    if (count <= room) return true;
    const NamelistValue& extra = assignment_.values[room];
    return !extra.damaged && fail(extra.at, tooMany(extra, room));
  }

  /// A null value of Fortran leaves what was before, which nobody sees in the file.
  bool checkPresence() {
    const auto empty = std::ranges::find_if(assignment_.values, [](const NamelistValue& value) {
      return value.kind == NamelistValue::Kind::Null && !value.damaged;
    });
    const std::string expected =
        "; expected " + (language_.isOfOperation(keyword_)
                             ? expectedValue(keyword_)
                             : expectedValue(*findKeyword(keyword_.group, keyword_.name)));
    if (assignment_.values.empty() || (empty != assignment_.values.end() && assignment_.values.size() == 1))
      return fail(assignment_.at, fmt::format("'{}' has no value{}", keyword_.name, expected));
    if (empty == assignment_.values.end()) return true;
    return fail(empty->at, fmt::format("an item of '{}' is empty{}", keyword_.name, expected));
  }

  std::string tooMany(const NamelistValue& extra, int room) const {
    const std::string found = extra.written.empty() ? "a further comma" : "'" + extra.written + "'";
    if (extra.kind == NamelistValue::Kind::Word &&
        language_.setting(keyword_.group, lowerCase(extra.text)) != nullptr) {
      return fmt::format("expected '=' after '{}'", extra.text);
    }
    if (extra.damaged)
      return fmt::format("'{}' has more than {} value{}", keyword_.name, room, room == 1 ? "" : "s");
    const bool unquoted = keyword_.type == ValueType::Text && keyword_.choices.empty();
    return fmt::format("found {} after the {} of '{}'; expected the next keyword or $end{}", found,
                       room == 1 ? "value" : fmt::format("{} values", room), keyword_.name,
                       unquoted ? ", or quotes around a text of several words" : "");
  }

  bool readElement(int index, const NamelistValue& value) {
    GivenValue result;
    if (!readValue(language_, keyword_, value, result, diagnostics_)) return false;
    if (setting_.values.emplace(index, result).second) return true;
    return fail(value.at, fmt::format("'{}({})' is set twice", keyword_.name, index));
  }

  const Language& language_;
  const NamelistAssignment& assignment_;
  GivenKeyword& setting_;
  const Setting& keyword_;
  Diagnostics& diagnostics_;
};

}  // namespace

Language::Language(const std::string& operation, std::vector<Setting> settings)
    : operation_(operation), settings_(std::move(settings)) {
  for (Setting& s : settings_) s.group = operation;
  settings_.push_back(*findKeyword("contrl", "jobtype"));
}

std::vector<std::string> Language::groups() const {
  std::vector<std::string> names;
  for (const KeywordGroup& group : keywordGroups()) names.push_back(group.name);
  if (!operation_.empty()) names.push_back(operation_);
  return names;
}

std::string Language::group(const std::string& any) const {
  if (isOperation(any)) return any;
  const KeywordGroup* known = findGroup(any);
  return known ? known->name : "";
}

const Setting* Language::setting(const std::string& group, const std::string& any) const {
  std::string name = any;
  if (isOperation(group)) std::ranges::replace(name, '-', '_');
  for (const Setting& s : settings_)
    if (s.group == group && s.isCalled(name)) return &s;
  return isOperation(group) ? nullptr : findKeyword(group, any);
}

std::vector<std::string> Language::settings(const std::string& group) const {
  std::vector<std::string> names;
  const auto add = [&](const Setting& s) {
    if (s.group == group) names.push_back(s.name);
  };
  if (isOperation(group)) std::ranges::for_each(settings_, add);
  if (!isOperation(group)) std::ranges::for_each(keywords(), add);
  return names;
}

bool Language::isOfOperation(const Setting& setting) const {
  return std::ranges::any_of(settings_, [&](const Setting& s) { return &s == &setting; });
}

const Language& Settings::keywordLanguage() {
  static const Language kKeywords;
  return kKeywords;
}

Settings::Settings(const NamelistFile& file, const Language& language, Diagnostics& diagnostics)
    : language_(language) {
  std::set<std::string> inFile;
  for (const NamelistGroup& group : file.groups) inFile.insert(language.group(group.name));
  for (const NamelistGroup& group : file.groups) {
    const std::string name = checkedGroup(language, group, inFile, diagnostics);
    if (name.empty()) continue;
    if (const NamelistGroup* earlier = this->group(name)) {
      diagnostics.add(group.at,
                      fmt::format("${} appears twice; the first one is in line {}", name, earlier->at.line));
      continue;
    }
    groups_[name] = &group;
    readGroup(name, group, diagnostics);
  }
  takeChargeOfAtom(diagnostics);
}

void Settings::takeChargeOfAtom(Diagnostics& diagnostics) {
  const NamelistGroup* const nucleus = group("nuc");
  for (const NamelistAssignment& assignment :
       nucleus ? nucleus->assignments : std::vector<NamelistAssignment>()) {
    const Keyword* keyword = findKeyword("nuc", assignment.name);
    if (!keyword || !keyword->element || assignment.values.size() != 1) continue;
    const NamelistValue& value = assignment.values.front();
    const auto atom = atomNamed(value);
    if (!atom || !atom->chargeWritten) continue;
    const auto [place, isNew] = settings_.try_emplace("seconfig.charge");
    GivenKeyword& charge = place->second;
    if (!isNew) {
      diagnostics.add(charge.at, fmt::format("{} names the charge already; omit one of them", value.written));
      continue;
    }
    charge.keyword = findKeyword("seconfig", "charge");
    charge.at = value.at;
    charge.written = charge.keyword->name;
    charge.values[1] = {Json(atom->charge), value.at};
  }
}

void Settings::readGroup(const std::string& name, const NamelistGroup& group, Diagnostics& diagnostics) {
  std::set<const Setting*> setByGroup;
  for (const NamelistAssignment& assignment : group.assignments)
    if (const Setting* keyword = language_.setting(name, assignment.name)) setByGroup.insert(keyword);
  for (const NamelistAssignment& assignment : group.assignments) {
    const Setting* keyword = checkedKeyword(language_, name, assignment, setByGroup, diagnostics);
    if (keyword == nullptr) continue;
    const auto [place, isNew] = settings_.try_emplace(name + "." + keyword->name);
    GivenKeyword& setting = place->second;
    if (isNew) {
      setting.keyword = keyword;
      setting.at = assignment.at;
      setting.written = assignment.name;
    } else if (!assignment.first || setting.listLength > 0) {
      diagnostics.add(assignment.at,
                      fmt::format("'{}' is set twice; first in line {}", keyword->name, setting.at.line));
      continue;
    }
    AssignmentReader(language_, assignment, setting, diagnostics).read();
  }
}

const NamelistGroup* Settings::group(const std::string& name) const {
  const auto place = groups_.find(name);
  return place == groups_.end() ? nullptr : place->second;
}

const GivenKeyword* Settings::find(const std::string& group, const std::string& keyword) const {
  const auto place = settings_.find(group + "." + keyword);
  return place == settings_.end() ? nullptr : &place->second;
}

bool Settings::damaged(const std::string& group, const std::string& keyword) const {
  const GivenKeyword* setting = find(group, keyword);
  return setting != nullptr && setting->damaged;
}

const Json* Settings::single(const std::string& group, const std::string& keyword) const {
  const GivenKeyword* setting = find(group, keyword);
  return setting == nullptr || setting->damaged ? nullptr : &setting->values.begin()->second.value;
}

std::vector<double> Settings::array(const std::string& group, const std::string& keyword, int count,
                                    const std::string& because, std::optional<double> missing,
                                    Diagnostics& diagnostics) const {
  const GivenKeyword* setting = find(group, keyword);
  if (setting == nullptr) return std::vector<double>(static_cast<std::size_t>(count), missing.value_or(0));
  if (setting->damaged) return {};
  const auto fail = [&](Position at, const std::string& message) {
    diagnostics.add(at, message);
    return std::vector<double>();
  };
  const int length = setting->listLength;
  if (length > 0 && length != count) {
    return fail(setting->at, fmt::format("'{}' has {} value{}; expected {} ({})", keyword, length,
                                         length == 1 ? "" : "s", count, because));
  }
  std::vector<double> result;
  for (const auto& [index, value] : setting->values) {
    if (index > count) {
      return fail(value.at,
                  fmt::format("'{}({})' is beyond the last element {} ({})", keyword, index, count, because));
    }
  }
  for (int index = 1; index <= count; ++index) {
    const auto value = setting->values.find(index);
    if (value == setting->values.end() && !missing) {
      return fail(setting->at, fmt::format("'{}({})' has no value; expected {} values ({})", keyword, index,
                                           count, because));
    }
    result.push_back(value == setting->values.end() ? *missing : value->second.value.get<double>());
  }
  return result;
}

std::vector<double> Settings::paddedArray(const std::string& group, const std::string& keyword, int count,
                                          const std::string& because, Diagnostics& diagnostics) const {
  const GivenKeyword* setting = find(group, keyword);
  const int given = setting == nullptr || setting->listLength == 0 ? count : setting->listLength;
  std::vector<double> result = array(group, keyword, std::min(given, count), because, 0, diagnostics);
  if (!result.empty()) result.resize(static_cast<std::size_t>(count), 0.0);
  return result;
}

std::string Settings::asWritten(std::string message) const {
  const auto isNamePart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const auto& [key, setting] : settings_) {
    const std::string& name = setting.keyword->name;
    if (setting.written == name ||
        language_.setting(setting.keyword->group, setting.written) != setting.keyword)
      continue;
    for (std::size_t at = 0; (at = message.find(name, at)) != std::string::npos;) {
      const char before = at == 0 ? ' ' : message[at - 1];
      const char after = at + name.size() < message.size() ? message[at + name.size()] : ' ';
      const bool quoted = before == '\'' && (after == '\'' || after == '(');
      const bool assigned = !isNamePart(before) && (after == '=' || (before == '(' && after == ')'));
      if (quoted || assigned) message.replace(at, name.size(), setting.written);
      at += quoted || assigned ? setting.written.size() : name.size();
    }
  }
  return message;
}

std::vector<const GivenKeyword*> Settings::ofGroup(const std::string& name) const {
  std::vector<const GivenKeyword*> result;
  for (const auto& [key, setting] : settings_) {
    if (setting.keyword->group == name) result.push_back(&setting);
  }
  return result;
}

}  // namespace prophet

#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operations/input/diagnostics.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/namelist.hpp"

namespace prophet {

/// The groups and settings that a file may have: those of the keywords, and what an operation adds to them,
/// its name as a jobtype and a group of that name with its settings.
class Language {
 public:
  Language() = default;
  Language(const std::string& operation, std::vector<Setting> settings);

  /// The names of all groups.
  std::vector<std::string> groups() const;
  /// A group's own name, by that or by another one of its names; empty if there is no such group.
  std::string group(const std::string& any) const;
  /// nullptr if the group has no such setting.
  const Setting* setting(const std::string& group, const std::string& any) const;
  /// The names of a group's settings.
  std::vector<std::string> settings(const std::string& group) const;
  /// Whether the operation reads and checks the setting's values: they stay as they are written.
  bool isOfOperation(const Setting& setting) const;
  bool isOperation(const std::string& group) const { return !group.empty() && group == operation_; }

 private:
  std::string operation_;          ///< also its group; empty: none
  std::vector<Setting> settings_;  ///< the operation's, with jobtype as it has it
};

/// One value of a keyword, read as the keyword's type.
struct GivenValue {
  Json value;
  Position at;
};

/// The values of one keyword in a file.
struct GivenKeyword {
  const Setting* keyword = nullptr;
  Position at;            ///< of the name, where it first stands
  std::string written{};  ///< the name there, in lower case: the keyword's, or one of its other names
  bool damaged =
      false;           ///< some value is wrong (reported already): checks that need all of them are left out
  int listLength = 0;  ///< values of `name = ...` without an index, nulls included; 0 without such a list
  std::map<int, GivenValue> values;  ///< by index from 1; null values are absent
};

/// The content of all groups of a file, checked keyword by keyword against the table. A misspelt name is
/// reported and then read as the one that was most likely meant, so that one slip makes one error. The file
/// and the language must outlive the settings.
class Settings {
 public:
  /// Reads the groups of a file. Adds an error for every unknown or repeated group or keyword, wrong type,
  /// value out of range and wrong number of values (as far as one keyword alone shows it).
  Settings(const NamelistFile& file, Diagnostics& diagnostics)
      : Settings(file, keywordLanguage(), diagnostics) {}
  Settings(const NamelistFile& file, const Language& language, Diagnostics& diagnostics);

  /// nullptr if the file has no such group. (Of repeated groups: the first.)
  const NamelistGroup* group(const std::string& name) const;
  /// nullptr if the file does not set the keyword.
  const GivenKeyword* find(const std::string& group, const std::string& keyword) const;
  /// Whether a keyword is set, even with a damaged value.
  bool has(const std::string& group, const std::string& keyword) const {
    return find(group, keyword) != nullptr;
  }
  /// Whether a wrong value was reported for the keyword.
  bool damaged(const std::string& group, const std::string& keyword) const;

  /// The single value of a keyword; nullptr or empty if it is absent or damaged.
  const Json* single(const std::string& group, const std::string& keyword) const;
  std::optional<double> number(const std::string& group, const std::string& keyword) const {
    return value<double>(group, keyword);
  }
  std::optional<int> integer(const std::string& group, const std::string& keyword) const {
    return value<int>(group, keyword);
  }
  std::optional<bool> logical(const std::string& group, const std::string& keyword) const {
    return value<bool>(group, keyword);
  }
  std::optional<std::string> text(const std::string& group, const std::string& keyword) const {
    return value<std::string>(group, keyword);
  }

  /// `count` values of an array, absent ones filled with `missing`. Adds errors for a wrong number of values
  /// ("... but `because`", such as "nsym=7") and, where `missing` is empty, for absent elements. Returns an
  /// empty vector where the array is damaged.
  std::vector<double> array(const std::string& group, const std::string& keyword, int count,
                            const std::string& because, std::optional<double> missing,
                            Diagnostics& diagnostics) const;

  /// The same, shorter lists going on with zeros.
  std::vector<double> paddedArray(const std::string& group, const std::string& keyword, int count,
                                  const std::string& because, Diagnostics& diagnostics) const;

  /// Messages with the names of keywords that the file uses, where it uses others than the table's.
  std::string asWritten(std::string message) const;

  /// All settings of a group, by name.
  std::vector<const GivenKeyword*> ofGroup(const std::string& name) const;

 private:
  template <class T>
  std::optional<T> value(const std::string& group, const std::string& keyword) const {
    const Json* given = single(group, keyword);
    return given ? std::optional<T>(given->get<T>()) : std::nullopt;
  }
  static const Language& keywordLanguage();
  void readGroup(const std::string& name, const NamelistGroup& group, Diagnostics& diagnostics);
  /// The charge of an ion that the nuclear charge is given by, "z='Fe2+'", as if 'charge' had said it.
  void takeChargeOfAtom(Diagnostics& diagnostics);

  const Language& language_;
  std::map<std::string, const NamelistGroup*> groups_;  ///< by the name in the table
  std::map<std::string, GivenKeyword> settings_;        ///< by "group.keyword"
};

}  // namespace prophet

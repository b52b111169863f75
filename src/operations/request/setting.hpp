#pragma once
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/common/error.hpp"
#include "core/common/names.hpp"

namespace prophet {

/// Values of settings by their names, as a front end hands them over.
using Json = nlohmann::ordered_json;

/// What a value may be. A text may stand for each of them, as the shell has nothing else.
enum class ValueType {
  Real,
  Integer,
  Logical,
  Text,
  Numbers,  ///< several numbers; as a text START:STOP:STEP with both ends, or numbers between commas
  Texts,    ///< several texts; the shell's words, or one text
  ByKind,   ///< a number for each kind of atom, {"Na": 1, "Cl": -1}; as a text "Na=1,Cl=-1"
  Vectors,  ///< three numbers each, [[0, 0, 0.1]]; as a text X,Y,Z with ';' between them
  Any       ///< what the request's own reader takes
};

/// Allowed numbers; an open end is not itself allowed.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool lowOpen = false, highOpen = false;
  bool contains(double value) const;
  /// "1 to 15", "more than 0", "at least 0 and less than 1", ...; empty if everything is allowed.
  std::string description() const;
};

/// What a file that a setting names is for: front ends see to it that none replaces another.
enum class FileUse {
  None,
  Read,
  ReadIfThere,  ///< else the text is a name of something
  ReadResult,   ///< FILE or FILE:ID (resultFileAndId), and the output `hdf5` may replace all of FILE
  Write,        ///< a text
  WriteBinary
};

/// A word that may stand for a number: nucmdl='fermi' is nucmdl=4.
struct NamedNumber {
  std::string name;
  int number;
};

/// How many values a setting takes in an input file.
enum class SizeRule { One, PerSymmetry, FourPerGroup };

/// A set of kinds of jobs, one bit for each.
using JobSet = unsigned;
inline constexpr JobSet kAllJobs = ~0u;

/// One setting of a request: everything that reading, checking, help and documents need to know of it.
struct Setting {
  std::string name;  ///< lower case; words are joined by '_', which the shell writes '-'
  std::vector<std::string> aliases;
  ValueType type = ValueType::Real;
  std::string unit;                  ///< of numbers; empty: none
  std::string valueName;             ///< what help calls the value; empty: by the type
  std::string expected;              ///< what a value may be, where the type does not say it
  std::string defaultText;           ///< as help shows it; empty: no default
  Range range;                       ///< for numbers, also for each of several
  std::vector<std::string> choices;  ///< for texts; empty: any text
  std::vector<NamedNumber> named{};  ///< words beside numbers, which need not be in `range`
  bool element = false;              ///< a number that an element's symbol may stand for
  std::string beyond{};              ///< what to do for a number outside of `range`; may be empty
  std::string documentation;         ///< one line
  FileUse file = FileUse::None;
  bool positional = false;  ///< the shell takes it without its name
  bool mayLack = false;     ///< of such a word: the shell does without it
  bool required = false;
  bool inInput = false;   ///< an input file says it, and no option stands beside one
  bool common = false;    ///< among the few that the shell's short help lists, if any of an operation is
  std::string heading{};  ///< of the part of the short help that lists it; empty: by what it is
  std::string implied{};  ///< its value where the shell has the option alone; empty: it needs one
  std::vector<std::string> needs;     ///< without one of these settings it means nothing
  std::vector<std::string> excludes;  ///< with one of these settings it means nothing
  std::string group{};                ///< of input files that it stands in; empty: that of its operation
  SizeRule size = SizeRule::One;
  JobSet jobs = kAllJobs;                                     ///< that use it
  std::vector<std::pair<JobSet, std::string>> jobDefaults{};  ///< texts of jobs that have others

  /// Its own one first.
  std::vector<std::string> names() const;
  bool isCalled(std::string_view any) const;
};

/// The first one of that name; nullptr where none has it.
const Setting* settingNamed(const std::vector<Setting>& settings, std::string_view any);

/// Why a value was refused, under the setting's name; the front end spells it (--bin-width, bin_width=).
struct SettingProblem {
  std::string setting;
  std::string message;
};

/// Everything that is wrong with a request. what() has a line "setting: message" for each problem.
class RequestErrors : public Error {
 public:
  explicit RequestErrors(std::vector<SettingProblem> problems);
  const std::vector<SettingProblem>& problems() const { return problems_; }

 private:
  std::vector<SettingProblem> problems_;
};

/// A single problem that only the computation could find.
class SettingError : public RequestErrors {
 public:
  SettingError(const std::string& setting, const std::string& message)
      : RequestErrors({{setting, message}}) {}
};

/// Runs a step; an Error of it that names no setting is one of this.
template <class Step>
auto ofSetting(const std::string& setting, Step step) {
  try {
    return step();
  } catch (const RequestErrors&) {
    throw;
  } catch (const Error& e) {
    throw SettingError(setting, e.what());
  }
}

/// "'a', 'b' or 'c'", with the quotes or without them.
std::string enumerate(const std::vector<std::string>& names, std::string_view quote = "'");

/// What its value is as a file: what `file` says, or one that is read where help calls it FILE.
FileUse fileUse(const Setting& setting);
inline bool isOutput(const Setting& setting) { return fileUse(setting) >= FileUse::Write; }

/// "a number above 0, in angstrom", "'ewald' or 'spread'": what a value of this setting may be.
std::string expectedValue(const Setting& setting);

/// A Fortran real: 1, -1.5, .5, 1.0d-5, 1E+3, 1+3; empty if the text is not one, or is infinite or too large.
std::optional<double> parseReal(std::string_view text);

/// A Fortran integer; empty if the text is not one or has more than nine digits.
std::optional<int> parseInteger(std::string_view text);

/// A Fortran logical: .true., true, .t., t and the same for false, in upper or lower case.
std::optional<bool> parseLogical(std::string_view text);

/// The value as its type has it: texts become numbers, lists and objects. Throws Error, "found ...; expected
/// ...". `found`: what is said to be found; empty: the value.
Json typedValue(const Setting& setting, const Json& value, const std::string& found = "");

/// The values of a request under the settings' own names, each as its type has it. A null counts as not
/// given. Adds what is wrong: unknown names, values of a wrong type or out of range, missing settings, and
/// settings that need or exclude others.
Json typedValues(const std::vector<Setting>& settings, const Json& values,
                 std::vector<SettingProblem>& problems);

/// The names of an enumeration in lower case, as settings have them.
template <class E>
Names<E> wordsOf() {
  Names<E> words = namesOf<E>();
  for (auto& [name, value] : words) name = lowerCase(name);
  return words;
}

}  // namespace prophet

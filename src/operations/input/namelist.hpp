#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operations/input/diagnostics.hpp"

namespace prophet {

/// The lines of a text; ends of line are LF, CR LF or CR. A byte-order mark is dropped. There is always at
/// least one line, and a newline at the end makes no further one.
std::vector<std::string_view> splitLines(std::string_view text);

/// Number of characters (UTF-8 code points) of a text; every byte that is not part of one counts as a
/// character.
int characterCount(std::string_view text);

/// Whether the text is whole UTF-8 without control characters other than tabs; if not, `where` is set to the
/// byte at fault.
bool isPlainText(std::string_view text, std::size_t& where);

/// The smallest pieces of a namelist file.
struct Token {
  enum class Kind {
    GroupStart,  ///< $name or &name; text is the name
    GroupEnd,    ///< $end, &end or /
    Word,        ///< anything without blanks and separators; a repeat count `7*25` is one word
    String,      ///< a quoted string; text is its content
    Equals,
    Comma,
    Open,
    Close
  };
  Kind kind = Kind::Word;
  std::string text;     ///< as described above
  std::string written;  ///< as it stands in the file
  Position at;
  bool joined = false;   ///< nothing stands between this token and the one before it
  bool damaged = false;  ///< an error in this token has already been reported
};

/// Splits the lines from `firstLine` (from 0) on into tokens; comments from ! to the end of the line are left
/// out. Characters that no namelist may contain and unterminated strings are reported, and reading goes on.
std::vector<Token> tokenize(const std::vector<std::string_view>& lines, std::size_t firstLine,
                            Diagnostics& diagnostics);

/// One value as it was written; repeat counts are expanded.
struct NamelistValue {
  enum class Kind { Null, Word, String };
  Kind kind = Kind::Null;
  std::string text;     ///< a word as written; the content of a string
  std::string written;  ///< as it stands in the file, quotes and repeat count included
  Position at;
  bool damaged = false;  ///< an error in this value has been reported already
};

/// `name = values` or `name(first) = values`.
struct NamelistAssignment {
  std::string name;     ///< lower case
  std::string written;  ///< as it stands in the file
  Position at;
  std::optional<int> first;  ///< the index in parentheses, or the first one of a section (2:4)
  std::optional<int> last;   ///< the last index of a section
  bool damaged = false;      ///< the index is unreadable; reported already
  std::vector<NamelistValue> values;
};

/// A line that belongs to no group; it holds data of the group before it.
struct NamelistDataLine {
  Position at;
  std::vector<NamelistValue> values;
};

struct NamelistGroup {
  std::string name;      ///< lower case
  Position at, end;      ///< of $name; of $end (or of what stands where it is missing)
  bool damaged = false;  ///< something in it was skipped; reported already
  std::vector<NamelistAssignment> assignments;
  std::vector<NamelistDataLine> data;
};

/// The content of a namelist file, with the position of everything; names and meanings are not interpreted
/// here.
struct NamelistFile {
  std::string title;
  std::vector<NamelistGroup> groups;  ///< in the order of the file
  Position end;                       ///< just behind the last character
};

/// Longest title, in characters.
inline constexpr int kLongestTitle = 200;
/// Largest repeat count; no array of the language is longer.
inline constexpr int kLargestRepeat = 1000;
/// Most values that repeat counts of one file may make: far more than the language has use for, and few
/// enough for any memory.
inline constexpr int kMostRepeated = 100000;

/// Reads a title line and Fortran namelist groups: `$name key=value, ... $end` or `&name ... /`, upper or
/// lower case, over any number of lines; `!` comments; quoted strings with doubled quotes; repeat counts
/// `7*25`; null values; elements `nbs(3)=17,18` and sections `nbs(2:4)=3*17`. Lines between groups go to the
/// group before them. Errors are added to `diagnostics`, and reading goes on behind them.
NamelistFile readNamelist(std::string_view text, Diagnostics& diagnostics);

}  // namespace prophet

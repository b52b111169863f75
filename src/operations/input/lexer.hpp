#pragma once
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

}  // namespace prophet

#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// The time in Greenwich, by default the day as "2026-11-21"; `format` as for strftime.
std::string timeNow(const char* format = "%Y-%m-%d");

/// Copy with ASCII letters in lower case; other bytes are kept.
std::string lowerCase(std::string_view text);

/// Copy without blanks at both ends.
std::string trimmed(std::string_view text, std::string_view blanks = " \t");

/// The parts between separators, one more than there are separators: "a,,b," is a, nothing, b and nothing.
std::vector<std::string> split(std::string_view text, char separator);

/// The parts between any of these separators that are not empty: "2p, 3d" is 2p and 3d.
std::vector<std::string> splitWords(std::string_view text, std::string_view separators = " \t");

/// "5/2" of 5, "2" of 4: an angular momentum of which twice the value is known.
std::string halves(int twice);

/// Twice the angular momentum that the whole text is: 3 of "3/2" and of "1.5", 4 of "2". Empty where it is
/// none from 0 to 500.
std::optional<int> twiceOf(std::string_view text);

/// Smallest number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment distance, byte by byte).
int editDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `name` (upper and lower case are the same), or an empty string where none is near
/// enough to be a likely typing error: at most one edit for every three characters, and at least one.
std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

/// The number that the whole text is, rounded correctly and whatever the locale: -1.5, 2e-3, inf, nan. Empty
/// where it is none (blanks and a leading plus sign included) or too large or small for a double.
std::optional<double> parseDouble(std::string_view text);

/// The finite number that the whole text is. Throws Error, "'x' is not a number".
double numberOf(std::string_view text);

/// A number with as many digits as its error lets stand: the last one is the first that the error changes; at
/// most `most` decimals, which a number with an error of zero, or none that is a number, gets.
std::string withinError(double value, double error, int most = 10);

/// Text of unknown origin (a comment, a file's name) as UTF-8: unchanged where it is that, else each byte
/// that belongs to no UTF-8 sequence is taken as a letter of Latin-1 (ISO 8859-1), so that nothing is lost.
std::string utf8(std::string_view text);

/// The rest of a text after a byte order mark, which some editors put in front of UTF-8.
inline std::string_view withoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

// They know ASCII alone, whatever the locale of the process says.
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The words of a text in lines of at most `width` characters where words let them, each but the first after
/// `indent`; no newline at the end.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");

}  // namespace prophet

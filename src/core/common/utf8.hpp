#pragma once
#include <string>
#include <string_view>

namespace prophet {

/// Text of unknown origin (a comment, a file's name) as UTF-8: unchanged where it is that, else each byte
/// that belongs to no UTF-8 sequence is taken as a letter of Latin-1 (ISO 8859-1), so that nothing is lost.
std::string utf8(std::string_view text);

/// The rest of a text after a byte order mark, which some editors put in front of UTF-8.
inline std::string_view withoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

}  // namespace prophet

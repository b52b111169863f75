#pragma once
#include <string>
#include <string_view>

namespace prophet {

/// Whether all bytes are UTF-8 (RFC 3629: no overlong forms, surrogates or characters above U+10FFFF).
bool isUtf8(std::string_view text);

/// The text as UTF-8, which JSON and Python demand: what is UTF-8 stays as it is, every other byte is taken
/// for the character of Latin-1 (ISO 8859-1) that it stands for. "B\xE4r" becomes "Bär".
std::string utf8Text(std::string_view text);

/// Takes the byte order mark of UTF-8 (EF BB BF), with which some editors begin a file, away.
void dropByteOrderMark(std::string& text);

}  // namespace prophet

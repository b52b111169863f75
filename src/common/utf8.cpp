#include "common/utf8.hpp"

#include <cstdint>

namespace prophet {
namespace {

/// Bytes of the character at the start of a text that is not empty; 0 where it is none of UTF-8.
std::size_t characterSize(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  std::uint32_t character = first & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = character < (size == 4 ? 0x10000u : size == 3 ? 0x800u : 0x80u);
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  return overlong || surrogate || character > 0x10FFFF ? 0 : size;
}

}  // namespace

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = characterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string utf8Text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = characterSize(text);
    if (size > 0) {
      result.append(text, 0, size);
    } else {
      const unsigned byte = static_cast<unsigned char>(text[0]);
      result += static_cast<char>(0xC0 | byte >> 6);
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
    text.remove_prefix(size > 0 ? size : 1);
  }
  return result;
}

void dropByteOrderMark(std::string& text) {
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
}

}  // namespace prophet

#include "core/common/utf8.hpp"

#include <cstddef>

namespace prophet {
namespace {

bool isContinuation(unsigned char c) { return (c & 0xC0) == 0x80; }

/// Bytes of the UTF-8 sequence that the text begins with; 0 if it begins with none (RFC 3629: the shortest
/// form, no surrogates, nothing above U+10FFFF).
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!isContinuation(byte(i))) return 0;
  }
  const unsigned char second = byte(1);
  const bool outside = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return outside ? 0 : length;
}

}  // namespace

std::string utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      const auto c = static_cast<unsigned char>(text[0]);
      result += static_cast<char>(0xC0 | (c >> 6));
      result += static_cast<char>(0x80 | (c & 0x3F));
    }
    text.remove_prefix(length > 0 ? length : 1);
  }
  return result;
}

}  // namespace prophet

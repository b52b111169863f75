#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace prophet {

/// CRC-32 (ISO 3309), which tells every change of one bit, and all but one of 2^32 other changes, by eight
/// bytes at once. Source: M. E. Kounavis and F. L. Berry, IEEE Trans. Comput. 57 (2008) 1550.
inline std::uint32_t checksumOf(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  using Rests = std::array<std::uint32_t, 256>;
  // The remainder of a byte that so many others follow.
  static constexpr std::array<Rests, 8> kTables = [] {
    std::array<Rests, 8> tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t rest = i;
      for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest % 2 != 0 ? 0xEDB88320U : 0);
      tables[0][i] = rest;
    }
    for (std::size_t t = 1; t < tables.size(); ++t)
      for (std::size_t i = 0; i < 256; ++i)
        tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] % 256];
    return tables;
  }();
  std::uint32_t rest = 0xFFFFFFFFU;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    word ^= rest;
    rest = 0;
    for (std::size_t t = 0; t < 8; ++t) rest ^= kTables[7 - t][word >> 8 * t & 0xFF];
  }
  for (; left > 0; ++at, --left)
    rest = rest >> 8 ^ kTables[0][(rest ^ static_cast<unsigned char>(*at)) & 0xFF];
  return ~rest;
}

}  // namespace prophet

#pragma once
#include <boost/crc.hpp>
#include <cstdint>
#include <string_view>

namespace prophet {

/// CRC-32 (ISO 3309), which tells every change of one bit, and all but one of 2^32 other changes.
inline std::uint32_t checksumOf(std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

}  // namespace prophet

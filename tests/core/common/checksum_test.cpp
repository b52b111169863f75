#include "core/common/checksum.hpp"

#include <gtest/gtest.h>

#include <boost/crc.hpp>
#include <random>
#include <string>

namespace prophet {
namespace {

TEST(Checksum, IsThatOfTheStandard) {
  EXPECT_EQ(checksumOf("123456789"), 0xCBF43926U);
  EXPECT_EQ(checksumOf(""), 0U);
}

// Boost's takes one byte after the other.
TEST(Checksum, IsThatOfBytesOneByOne) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::string bytes(random() % 300, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string_view part = std::string_view(bytes).substr(bytes.empty() ? 0 : random() % bytes.size());
    boost::crc_32_type simple;
    simple.process_bytes(part.data(), part.size());
    EXPECT_EQ(checksumOf(part), simple.checksum()) << part.size();
  }
}

}  // namespace
}  // namespace prophet

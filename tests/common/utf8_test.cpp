#include "common/utf8.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

TEST(Utf8, WhatIsUtf8Stays) {
  for (const std::string text : {"", "plain", "Bär, Å, 原子, 🙂"}) {
    EXPECT_TRUE(isUtf8(text));
    EXPECT_EQ(utf8Text(text), text);
  }
}

TEST(Utf8, OtherBytesAreLatin1) {
  EXPECT_EQ(utf8Text("B\xE4r \xC5"), "Bär Å");
  EXPECT_EQ(utf8Text("Bär B\xE4r"), "Bär Bär");
  // Alone, overlong, a surrogate, beyond the last character, cut off.
  for (const std::string text :
       {"\x80", "\xFF", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE5\x8E"}) {
    EXPECT_FALSE(isUtf8(text));
    EXPECT_TRUE(isUtf8(utf8Text(text)));
    EXPECT_EQ(utf8Text(text).size(), 2 * text.size());
  }
}

TEST(Utf8, DropsTheByteOrderMark) {
  std::string text =
                  "\xEF\xBB\xBF"
                  "2\n",
              without = "2\n";
  dropByteOrderMark(text);
  dropByteOrderMark(without);
  EXPECT_EQ(text, "2\n");
  EXPECT_EQ(without, "2\n");
}

}  // namespace
}  // namespace prophet

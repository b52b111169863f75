#include "core/common/text.hpp"

#include <gtest/gtest.h>

#include "core/common/csv.hpp"
#include "core/common/json_text.hpp"

namespace prophet {
namespace {

TEST(Utf8, IsKept) {
  for (const char* text : {"", "plain", "\u00E4\u00DF", "\u20AC \u212B", "\U0001F600", "\uFFFD"})
    EXPECT_EQ(utf8(text), text);
}

TEST(Utf8, OtherBytesAreLatin1) {
  EXPECT_EQ(utf8("B\xE4r"), "B\u00E4r");
  EXPECT_EQ(utf8("\xC5"), "\u00C5");                                // cut off at the end
  EXPECT_EQ(utf8("\u00E4 \xE4"), "\u00E4 \u00E4");                  // both in one text
  EXPECT_EQ(utf8("\xC0\x80"), "\u00C0\u0080");                      // not the shortest form
  EXPECT_EQ(utf8("\xED\xA0\x80"), "\u00ED\u00A0\u0080");            // a surrogate
  EXPECT_EQ(utf8("\xF4\x90\x80\x80"), "\u00F4\u0090\u0080\u0080");  // above U+10FFFF
  EXPECT_EQ(utf8("\xFF\xFE"), "\u00FF\u00FE");
}

TEST(Utf8, JsonOfAnyTextCanBeWritten) {
  nlohmann::ordered_json j;
  j["n\xE4me"] = {"\xC5", 1.5, {{"deep", "B\xE4r"}}};
  j["plain"] = true;
  EXPECT_EQ(jsonText(j), "{\"n\u00E4me\":[\"\u00C5\",1.5,{\"deep\":\"B\u00E4r\"}],\"plain\":true}");
  j = {{"a", 1}};
  EXPECT_EQ(jsonText(j, 1), j.dump(1));
}

TEST(Utf8, AByteOrderMarkIsNoText) {
  EXPECT_EQ(withoutByteOrderMark("\xEF\xBB\xBFZ,TIER"), "Z,TIER");
  EXPECT_EQ(withoutByteOrderMark("\xEF\xBB"), "\xEF\xBB");
  EXPECT_EQ(parseCsv("\xEF\xBB\xBFZ,TIER\n").at(0).fields.at(0), "Z");
}

}  // namespace
}  // namespace prophet

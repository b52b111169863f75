#include "operations/result_file/result_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

using ::testing::HasSubstr;

std::string refusalOf(const std::string& bytes) {
  try {
    unwrapped(bytes, "x.h5");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Envelope, GivesBackWhatWasWrapped) {
  const std::string content("any\0bytes", 9);
  EXPECT_EQ(unwrapped(wrapped(content), "x.h5"), content);
  EXPECT_EQ(wrapped(content).size(), 512 + content.size());
}

TEST(Envelope, SaysWhatIsWrong) {
  const std::string good = wrapped("some content");
  EXPECT_THAT(refusalOf(""), HasSubstr("x.h5: not a result file"));
  EXPECT_THAT(refusalOf("$nuc znuc=2 $end\n"), HasSubstr("not a result file"));
  EXPECT_THAT(refusalOf("\x89HDF\r\n\x1a\n"),
              HasSubstr("but not one with atoms, as energy, limit and batch"));
  EXPECT_THAT(refusalOf(good.substr(0, good.size() - 1)), HasSubstr("cut off"));
  EXPECT_THAT(refusalOf(good + "x"), HasSubstr("cut off or changed"));
  std::string changed = good;
  changed.back() = 'x';
  EXPECT_THAT(refusalOf(changed), HasSubstr("checksum"));
}

TEST(Envelope, RefusesOtherLayouts) {
  std::string other = wrapped("some content");
  const std::size_t digit = other.find("layout ") + 7;
  for (const char version : {'0', '2', '9'}) {
    other[digit] = version;
    EXPECT_THAT(refusalOf(other), HasSubstr("this program reads layout 1 only")) << version;
  }
}

}  // namespace
}  // namespace prophet

#include "core/picture/picture.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

TEST(Png, HasItsSignatureAndSize) {
  if (!hasPng()) GTEST_SKIP() << "built without libpng";
  const std::string bytes = pngImage(logarithmicPicture({1, 2, 3, 4, 5, 6}, 3, 2, 6));
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  // The header's width and height, big-endian.
  EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\0\3\0\0\0\2", 8));
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
}

TEST(Png, RefusesPicturesWithoutPixels) {
  EXPECT_THROW(pngImage({}), Error);
  EXPECT_THROW(pngImage({2, 2, {1, 2, 3}}), Error);
}

TEST(Colours, AreBlackBelowAndWhiteAbove) {
  const Picture p = logarithmicPicture({0, 1, 1e3, 1e6}, 4, 1, 6);
  ASSERT_EQ(p.pixels.size(), 12u);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(p.pixels[static_cast<std::size_t>(c)], 0);
    EXPECT_EQ(p.pixels[static_cast<std::size_t>(3 + c)], 0);
    EXPECT_EQ(p.pixels[static_cast<std::size_t>(9 + c)], 255);
  }
  EXPECT_GT(p.pixels[6], 100);  // half way: between purple and red
  EXPECT_LT(p.pixels[7], 100);
  for (const unsigned char byte : logarithmicPicture({0, 0}, 2, 1, 6).pixels) EXPECT_EQ(byte, 0);
}

}  // namespace
}  // namespace prophet

#include "core/picture/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/common/error.hpp"
#ifdef PROPHET_WITH_PNG
#include <png.h>
#endif

namespace prophet {
#ifdef PROPHET_WITH_PNG

bool hasPng() { return true; }

std::string pngImage(const Picture& p) {
  const auto pixels = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
  if (p.width < 1 || p.height < 1 || p.pixels.size() != 3 * pixels)
    throw Error(fmt::format("a picture of {} x {} pixels cannot be written", p.width, p.height));
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(p.width);
  image.height = static_cast<png_uint_32>(p.height);
  image.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  const bool written = png_image_write_to_memory(&image, bytes.data(), &size, 0, p.pixels.data(), 0, nullptr);
  if (!written) throw Error(fmt::format("libpng cannot write the picture: {}", image.message));
  bytes.resize(size);
  return bytes;
}

#else

bool hasPng() { return false; }

std::string pngImage(const Picture&) {
  throw Error(
      "this program was built without libpng and writes no pictures; install it (Debian: libpng-dev), "
      "configure and build again, or omit png");
}

#endif

namespace {

struct Colour {
  double red, green, blue;
};

/// Brighter from stop to stop, so that the picture also reads in grey.
constexpr Colour kStops[] = {{0, 0, 0},     {40, 20, 130},  {150, 20, 140},
                             {225, 70, 50}, {250, 190, 40}, {255, 255, 255}};
constexpr int kSteps = 5;

Colour colourAt(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * kSteps;
  const int below = std::min(static_cast<int>(place), kSteps - 1);
  const double t = place - below;
  const Colour &a = kStops[below], &b = kStops[below + 1];
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

unsigned char byteOf(double x) { return static_cast<unsigned char>(std::lround(x)); }

}  // namespace

Picture logarithmicPicture(const std::vector<double>& values, int width, int height, double decades) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, v);
  Picture picture{width, height, {}};
  picture.pixels.reserve(3 * values.size());
  for (const double v : values) {
    const Colour c = colourAt(v > 0 ? 1 + std::log10(v / largest) / decades : 0);
    picture.pixels.insert(picture.pixels.end(), {byteOf(c.red), byteOf(c.green), byteOf(c.blue)});
  }
  return picture;
}

}  // namespace prophet

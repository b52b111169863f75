#include "core/picture/colours.hpp"

#include <algorithm>
#include <cmath>

namespace prophet {
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

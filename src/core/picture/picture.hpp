#pragma once
#include <string>
#include <vector>

namespace prophet {

/// Red, green and blue of each pixel, 0 to 255, rows from the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> pixels;  ///< 3 x width x height
};

/// Whether this program was built with libpng.
bool hasPng();

/// The bytes of a PNG file. Throws Error for a picture without pixels, and in programs built without libpng.
std::string pngImage(const Picture& picture);

/// Numbers >= 0 as colours by their logarithms: from black (10^-decades of the largest, and below) by blue,
/// red and yellow to white (the largest). `values`: width x height, rows from the top. All zero: all black.
Picture logarithmicPicture(const std::vector<double>& values, int width, int height, double decades);

}  // namespace prophet

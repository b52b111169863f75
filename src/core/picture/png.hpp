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

}  // namespace prophet

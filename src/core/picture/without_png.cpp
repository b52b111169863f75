#include "core/common/error.hpp"
#include "core/picture/png.hpp"

namespace prophet {

bool hasPng() { return false; }

std::string pngImage(const Picture&) {
  throw Error(
      "this program was built without libpng and writes no pictures; install it (Debian: libpng-dev), "
      "configure and build again, or omit png");
}

}  // namespace prophet

#include "core/picture/png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <cstring>

#include "core/common/error.hpp"

namespace prophet {

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

}  // namespace prophet

/// Surfaces of nanostructures in PLY files.
#include "surface.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return readSurface(data, size, prophet::parsePly);
}

/// Files of the basis library: what can be read makes a basis or an error, and reads back the same from the
/// text that we write.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "atoms/basis/library.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "core/common/error.hpp"

namespace {

prophet::LibraryEntry read(const std::string& text) {
  std::istringstream in(text);
  return prophet::readBasisFile(in, "fuzz.basis");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  prophet::LibraryEntry entry;
  try {
    entry = read(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const prophet::Error&) {
    return 0;
  }
  const std::string text = prophet::libraryFileText(entry);
  if (prophet::libraryFileText(read(text)) != text) std::abort();
  try {
    prophet::makeBasis(entry);
  } catch (const prophet::Error&) {
  }
  return 0;
}

/// Basis sets in other programs' formats: the first byte chooses one. What can be read can be written in the
/// same format and reads back the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bases/formats/exchange_formats.hpp"
#include "core/common/error.hpp"

namespace {

const std::string kFormats[] = {"json", "nwchem", "dirac", "gaussian"};

/// Elements without functions are not written by every format.
bool same(const prophet::ElementBasis& a, const prophet::ElementBasis& b) {
  return a.z == b.z && a.shells == b.shells;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string format = kFormats[data[0] % 4];
  std::vector<prophet::ElementBasis> elements;
  std::string text;
  try {
    const std::string read(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] & 128) {  // by content
      format = prophet::detectBasisFormat(read, "fuzz");
      if (format == prophet::kOwnFormat) return 0;
    }
    elements = prophet::readBasis(read, format, "fuzz");
    text = prophet::writeBasis(elements, format);
  } catch (const prophet::Error&) {
    return 0;
  }
  for (const prophet::ElementBasis& e : elements) {
    if (e.shells.empty()) return 0;
    for (const auto& shell : e.shells)
      if (shell.empty()) return 0;
  }
  if (elements.empty()) return 0;
  const std::vector<prophet::ElementBasis> again = prophet::readBasis(text, format, "again");
  if (again.size() != elements.size()) std::abort();
  for (std::size_t i = 0; i < again.size(); ++i)
    if (!same(again[i], elements[i])) std::abort();
  return 0;
}

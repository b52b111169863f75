#include <fmt/format.h>

#include "atom/elements.hpp"
#include "common/text.hpp"
#include "formats/format_parts.hpp"

namespace prophet::formats {
namespace {

constexpr int kLargestL = 8;

}  // namespace

/// .gbs: "Rn 0", shells "S 1 1.00", "****" after each element.
std::string writeGaussian(const std::vector<ElementBasis>& elements) {
  std::string text;
  for (const ElementBasis& e : elements)
    text += fmt::format("! {} {} {}\n", symbolOf(e.z), e.name, e.reference);
  text += "****\n";
  for (const ElementBasis& e : elements) {
    text += fmt::format("{:<2}     0\n", symbolOf(e.z));
    for (std::size_t l = 0; l < e.shells.size(); ++l) {
      const char letter = shellLetter(static_cast<int>(l), kLargestL, "gaussian");
      for (const double zeta : e.shells[l])
        text += fmt::format("{}    1   1.00\n  {:>24}  1.0\n", letter, realText(zeta));
    }
    text += "****\n";
  }
  return text;
}

std::vector<ElementBasis> readGaussian(const std::string& text, const std::string& file) {
  std::vector<ElementBasis> elements;
  ElementBasis* current = nullptr;
  std::vector<int> momenta;
  int expected = 0;
  for (const Line& line : linesOf(text, '!')) {
    const std::string& first = line.words[0];
    if (expected > 0) {
      for (const int l : momenta) addExponents(*current, l, {exponentOf(first, file, line.number)});
      --expected;
    } else if (first == "****") {
      current = nullptr;
    } else if (!current) {
      const int z = elementOfWord(first);
      if (z == 0) fail(file, line.number, fmt::format("expected an element, found '{}'", first));
      current = &entryFor(elements, z);
    } else {
      momenta = shellMomenta(first);
      if (momenta.empty() || line.words.size() < 2)
        fail(file, line.number,
             fmt::format("expected a shell and its length, found '{}'", trimmed(line.text)));
      expected = wholeOf(line.words[1], file, line.number);
      if (expected < 1) fail(file, line.number, "a shell needs one primitive or more");
    }
  }
  if (expected > 0) fail(file, 0, "the file ends in the middle of a shell");
  return elements;
}

}  // namespace prophet::formats

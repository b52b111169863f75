#include <fmt/format.h>

#include "atom/elements.hpp"
#include "common/text.hpp"
#include "formats/format_parts.hpp"

namespace prophet::formats {
namespace {

constexpr int kLargestL = 8;  // s ... l

/// Words of the header that may begin a line.
bool isKeyword(const std::string& word) {
  for (const char* keyword : {"basis", "end", "spherical", "cartesian", "print", "noprint", "segment"}) {
    if (word == keyword) return true;
  }
  return word[0] == '"';
}

}  // namespace

/// `basis "ao basis" SPHERICAL ... end`: every primitive a shell of its own with coefficient 1.
std::string writeNwchem(const std::vector<ElementBasis>& elements) {
  std::string text;
  for (const ElementBasis& e : elements)
    text += fmt::format("# {} {} {}\n", symbolOf(e.z), e.name, e.reference);
  text += "basis \"ao basis\" SPHERICAL NOPRINT\n";
  for (const ElementBasis& e : elements) {
    for (std::size_t l = 0; l < e.shells.size(); ++l) {
      const char letter = shellLetter(static_cast<int>(l), kLargestL, "nwchem");
      for (const double zeta : e.shells[l])
        text += fmt::format("{:<2}    {}\n  {:>24}  1.0\n", symbolOf(e.z), letter, realText(zeta));
    }
  }
  return text + "end\n";
}

std::vector<ElementBasis> readNwchem(const std::string& text, const std::string& file) {
  std::vector<ElementBasis> elements;
  ElementBasis* current = nullptr;
  std::vector<int> momenta;
  for (const Line& line : linesOf(text, '#')) {
    const std::string first = lowerCase(line.words[0]);
    if (first == "end") break;
    if (isKeyword(first)) continue;
    if (isReal(first)) {
      if (!current) fail(file, line.number, "an exponent before the first shell");
      for (const int l : momenta) addExponents(*current, l, {exponentOf(first, file, line.number)});
      continue;
    }
    const int z = elementOfWord(first);
    if (z == 0 || line.words.size() < 2)
      fail(file, line.number, fmt::format("expected an element and a shell, found '{}'", trimmed(line.text)));
    momenta = shellMomenta(line.words[1]);
    if (momenta.empty()) fail(file, line.number, fmt::format("unknown shell '{}'", line.words[1]));
    current = &entryFor(elements, z);
  }
  return elements;
}

}  // namespace prophet::formats

#include <fmt/format.h>

#include "atom/elements.hpp"
#include "common/text.hpp"
#include "formats/format_parts.hpp"

namespace prophet::formats {
namespace {

/// First word of a block header in files that name the format of the exponents ("f", "h").
bool isFormatLetter(const std::string& word) { return word == "f" || word == "h"; }

}  // namespace

/// The layout of DIRAC's basis set library: "a 86", then for each l the numbers of exponents and of
/// contracted functions (0: none) and the exponents; "$" begins a comment.
std::string writeDirac(const std::vector<ElementBasis>& elements) {
  std::string text;
  for (const ElementBasis& e : elements)
    text += fmt::format("$ {} {} {}\n", symbolOf(e.z), e.name, e.reference);
  for (const ElementBasis& e : elements) {
    text += fmt::format("$ {}\na {}\n", symbolOf(e.z), e.z);
    for (std::size_t l = 0; l < e.shells.size(); ++l) {
      text += fmt::format("$ {} functions\n{:>5}{:>5}{:>5}\n", letterOfL(static_cast<int>(l)),
                          e.shells[l].size(), 0, 0);
      for (const double zeta : e.shells[l]) text += fmt::format("  {:>24}\n", realText(zeta));
    }
  }
  return text;
}

std::vector<ElementBasis> readDirac(const std::string& text, const std::string& file) {
  std::vector<ElementBasis> elements;
  ElementBasis* current = nullptr;
  int l = -1, expected = 0;
  for (const Line& line : linesOf(text, '$')) {
    std::vector<std::string> words = line.words;
    const std::string first = lowerCase(words[0]);
    if (expected > 0) {
      addExponents(*current, l, {exponentOf(first, file, line.number)});
      --expected;
      continue;
    }
    if (first == "a") {
      const int z = words.size() > 1 ? wholeOf(words[1], file, line.number) : 0;
      if (z < 1 || z > kLastElement) fail(file, line.number, "expected 'a' and a nuclear charge");
      current = &entryFor(elements, z);
      l = -1;
      continue;
    }
    if (isFormatLetter(first)) words.erase(words.begin());
    if (!current || words.empty())
      fail(file, line.number,
           fmt::format("expected 'a' and a nuclear charge, found '{}'", trimmed(line.text)));
    expected = wholeOf(words[0], file, line.number);
    if (++l > kMostL) fail(file, line.number, fmt::format("a shell of angular momentum beyond {}", kMostL));
    if (expected < 0) fail(file, line.number, "a number of exponents below 0");
    addExponents(*current, l, {});
  }
  if (expected > 0) fail(file, 0, "the file ends in the middle of a block");
  return elements;
}

}  // namespace prophet::formats

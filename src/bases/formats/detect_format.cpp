#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "bases/formats/format_parts.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

using formats::Line;

bool isWhole(const std::string& word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// "86 Rn" or a comment may begin any file; the first line that only one format can have decides.
std::optional<BasisFormat> formatOfLine(const std::vector<std::string>& words) {
  const std::string first = lowerCase(words[0]);
  const std::string second = words.size() > 1 ? lowerCase(words[1]) : "";
  if (first == "format" && !second.empty() && second[0] == '=') return BasisFormat::Prophet;
  if (first == "basis" || first == "#basis" || (first == "ecp" && words.size() == 1))
    return BasisFormat::Nwchem;
  if (first == "****") return BasisFormat::Gaussian;
  if (first == "a" && words.size() > 1 && isWhole(second)) return BasisFormat::Dirac;
  const int z = formats::elementOfWord(first[0] == '-' ? first.substr(1) : first);
  if (z > 0 && words.size() == 2 && second == "0") return BasisFormat::Gaussian;
  if (z > 0 && words.size() == 2 && !formats::shellMomenta(second).empty()) return BasisFormat::Nwchem;
  return std::nullopt;
}

}  // namespace

BasisFormat detectBasisFormat(const std::string& text, const std::string& file) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) formats::fail(file, 1, "the file is empty; expected a basis set");
  if (text[start] == '{') return BasisFormat::Json;
  for (const Line& line : formats::linesOf(text, '\0')) {
    const char mark = line.words[0][0];
    if (mark == '!' || mark == '$' || (mark == '#' && lowerCase(line.words[0]) != "#basis")) continue;
    if (const auto format = formatOfLine(line.words)) return *format;
  }
  formats::fail(
      file, 1,
      "this is none of the formats that are read: Basis Set Exchange JSON, NWChem, DIRAC, Gaussian, "
      ".basis, .best, .inp");
}

}  // namespace prophet

#include "formats/format_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <sstream>

#include "atom/elements.hpp"
#include "basis/exponent_range.hpp"
#include "common/error.hpp"
#include "common/text.hpp"

namespace prophet::formats {
namespace {

bool parseReal(std::string word, double& value) {
  for (char& c : word) {
    if (c == 'd' || c == 'D') c = 'e';
  }
  if (!word.empty() && word[0] == '+') word.erase(0, 1);
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc() && end == word.data() + word.size() && std::isfinite(value);
}

}  // namespace

std::string realText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  const std::size_t e = text.find('e');
  if (e != std::string::npos && text.find('.') == std::string::npos) text.insert(e, ".0");
  return text;
}

char shellLetter(int l, int largest, const std::string& format) {
  if (l > largest) throw Error(fmt::format("the format {} has no shells of angular momentum {}", format, l));
  return static_cast<char>(std::toupper(letterOfL(l)));
}

std::vector<int> shellMomenta(const std::string& letters) {
  const std::string lower = lowerCase(letters);
  if (lower == "sp" || (lower == "l" && letters == "L")) return {0, 1};
  if (lower.size() != 1) return {};
  const int l = lOfLetter(lower[0]);
  return l < 0 ? std::vector<int>{} : std::vector<int>{l};
}

int elementOfWord(std::string word) {
  const std::size_t end = word.find_first_of("-_0123456789");
  if (end != std::string::npos) word.resize(end);
  return elementOf(word).value_or(0);
}

void addExponents(ElementBasis& basis, int l, const std::vector<double>& exponents) {
  if (static_cast<int>(basis.shells.size()) <= l) basis.shells.resize(l + 1);
  basis.shells[l].insert(basis.shells[l].end(), exponents.begin(), exponents.end());
}

void sortShells(ElementBasis& basis) {
  for (std::vector<double>& shell : basis.shells) {
    std::sort(shell.begin(), shell.end(), std::greater<>());
    shell.erase(std::unique(shell.begin(), shell.end()), shell.end());
  }
}

ElementBasis& entryFor(std::vector<ElementBasis>& elements, int z) {
  for (ElementBasis& e : elements) {
    if (e.z == z) return e;
  }
  elements.emplace_back();
  elements.back().z = z;
  return elements.back();
}

std::vector<Line> linesOf(const std::string& text, char comment) {
  std::vector<Line> lines;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = line.substr(0, line.find(comment));
    std::istringstream split(line);
    Line l{number, line, {}};
    for (std::string word; split >> word;) l.words.push_back(word);
    if (!l.words.empty()) lines.push_back(std::move(l));
  }
  return lines;
}

void fail(const std::string& file, int line, const std::string& what) {
  throw Error(fmt::format("{}:{}: error: {}", file, line, what));
}

bool isReal(const std::string& word) {
  double value = 0;
  return parseReal(word, value);
}

double exponentOf(const std::string& word, const std::string& file, int line) {
  double value = 0;
  if (!parseReal(word, value) || !isUsableExponent(value))
    fail(file, line, fmt::format("expected an exponent, {}; found '{}'", expectedExponent(), word));
  return value;
}

int wholeOf(const std::string& word, const std::string& file, int line) {
  int value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size())
    fail(file, line, fmt::format("expected a whole number, found '{}'", word));
  return value;
}

}  // namespace prophet::formats

#include "bases/formats/format_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <sstream>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/basis_set.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet::formats {
namespace {

bool parseReal(const std::string& word, double& value) {
  const std::optional<double> number = finiteNumber(word);
  value = number.value_or(0);
  return number.has_value();
}

}  // namespace

std::string realText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  const std::size_t e = text.find('e');
  if (e != std::string::npos && text.find('.') == std::string::npos) text.insert(e, ".0");
  return text;
}

std::string headerOf(const ElementBasis& basis, char comment) {
  // Our own sets are named with program and date, then by the method; how each was searched for stands
  // in JSON.
  std::string method = basis.reference, made;
  if (const std::size_t at = method.rfind(", made with cudaprophet"); at != std::string::npos) {
    made = method.substr(at);
    method.resize(std::min({at, method.find(", sizes "), method.find(';')}));
  }
  std::string text = fmt::format("{} {} {}{}\n", comment, symbolOf(basis.z), basis.name, made);
  std::vector<std::string> notes = basis.notes;
  if (!method.empty()) notes.insert(notes.begin(), method);
  for (const std::string& note : notes) text += fmt::format("{} {}: {}\n", comment, symbolOf(basis.z), note);
  return text;
}

std::vector<int> shellMomenta(const std::string& letters, Letters which) {
  const std::string lower = lowerCase(letters);
  if (lower == "sp") return {0, 1};
  if (lower.starts_with("l=")) {
    const int l =
        lower.size() > 2 && lower.size() < 5 && lower.find_first_not_of("0123456789", 2) == lower.npos
            ? std::stoi(lower.substr(2))
            : kMostL + 1;
    return l <= kMostL ? std::vector<int>{l} : std::vector<int>{};
  }
  if (lower.size() != 1) return {};
  int l = lOfLetter(lower[0]);
  if (which == Letters::WithJ) l = lower[0] == 'j' ? lOfLetter('k') : l + (l >= lOfLetter('k') ? 1 : 0);
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
    std::ranges::sort(shell, std::greater<>());
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

ShellReader::ShellReader(std::vector<int> momenta, const std::string& letters, std::string file, int line,
                         std::vector<double> scales)
    : momenta_(std::move(momenta)),
      isL_(lowerCase(letters) == "l"),
      file_(std::move(file)),
      line_(line),
      scales_(std::move(scales)) {}

void ShellReader::add(const std::vector<std::string>& words, int line) {
  if (rows_.empty()) numbers_.assign(words.size(), true);
  const std::string number = std::to_string(rows_.size() + 1);
  for (std::size_t i = 0; i < std::min(words.size(), numbers_.size()); ++i)
    numbers_[i] = numbers_[i] && (words[i] == number || words[i] == number + ".");
  exponents_.push_back(exponentOf(words[0], file_, line));
  std::vector<double> row;
  for (std::size_t i = 1; i < words.size(); ++i) row.push_back(realOf(words[i], file_, line));
  if (row.empty()) row.push_back(1.0);
  if (!rows_.empty() && row.size() != rows_.front().size())
    fail(file_, line,
         fmt::format("{} coefficients, but {} on the shell's first line", row.size(), rows_.front().size()));
  rows_.push_back(std::move(row));
}

/// GAMESS and others number the lines of a shell. Where a column of coefficients more is allowed, the numbers
/// would pass as exponents (or, at the end of the lines, as coefficients). Two lines with one coefficient may
/// well begin with 1 and 2.
void ShellReader::refuseNumberedLines() const {
  const std::size_t lines = rows_.size(), words = numbers_.size();
  for (std::size_t i = 0; i < words; ++i) {
    if (!numbers_[i] || lines < 2 || words < 2 || (lines == 2 && (i > 0 || words == 2))) continue;
    fail(file_, line_,
         fmt::format("column {} of this shell is 1, 2, ... {}, as if its lines were numbered; remove the "
                     "numbers, or write them with a point (1.0) if they are meant",
                     i + 1, lines));
  }
}

void ShellReader::finish(ElementBasis& basis) {
  if (rows_.empty()) fail(file_, line_, "a shell without primitives");
  refuseNumberedLines();
  const std::size_t columns = rows_.front().size();
  // GAMESS, Gaussian and NWChem call an SP shell L. In NWChem's format the Exchange has L for l = 8 too: only
  // behind functions of l = 7.
  const bool isEight = momenta_ == std::vector<int>{8} && basis.shells.size() > 7;
  if (isL_ && columns == 2 && !isEight) momenta_ = {0, 1};
  const bool fused = momenta_.size() > 1;
  if (fused && columns != momenta_.size())
    fail(file_, line_, fmt::format("an SP shell has 2 coefficients on each line, not {}", columns));
  if (!fused && columns > rows_.size())
    fail(file_, line_,
         fmt::format("{} coefficients on each line, but {} primitive{}: so many functions depend on each "
                     "other. Are the lines numbered?",
                     columns, rows_.size(), rows_.size() == 1 ? "" : "s"));
  for (std::size_t m = 0; m < momenta_.size(); ++m) {
    ContractedShell shell{momenta_[m], exponents_, {}};
    const double scale = scales_.empty() ? 1.0 : scales_[std::min(m, scales_.size() - 1)];
    for (double& zeta : shell.exponents) {
      if (scale != 1.0) zeta *= scale * scale;
      if (!isUsableExponent(zeta)) fail(file_, line_, "the scale factor gives exponents that no atom needs");
    }
    for (std::size_t f = fused ? m : 0; f < (fused ? m + 1 : columns); ++f) {
      std::vector<double> function;
      for (const std::vector<double>& row : rows_) function.push_back(row[f]);
      shell.functions.push_back(std::move(function));
    }
    addExponents(basis, shell.l, shell.exponents);
    basis.contracted.push_back(std::move(shell));
  }
}

std::vector<Line> linesOf(const std::string& text, std::string_view comments) {
  std::vector<Line> lines;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = line.substr(0, line.find_first_of(comments));
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

double realOf(const std::string& word, const std::string& file, int line) {
  double value = 0;
  if (!parseReal(word, value)) fail(file, line, fmt::format("expected a number, found '{}'", word));
  return value;
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

namespace {

/// "10s,6p" of a number for each l.
std::string sizes(const ElementBasis& basis, const std::function<std::size_t(int)>& count) {
  std::string text;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    if (basis.shells[l].empty()) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", count(l), letterOfL(l));
  }
  return text;
}

/// Functions of a shell as columns, primitives that are functions themselves too.
std::vector<std::vector<double>> columnsOf(const ContractedShell& shell) {
  if (!shell.functions.empty()) return shell.functions;
  const std::size_t n = shell.exponents.size();
  std::vector<std::vector<double>> unit(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) unit[i][i] = 1.0;
  return unit;
}

}  // namespace

std::vector<ContractedShell> writtenShells(const ElementBasis& basis) {
  std::vector<ContractedShell> shells;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    if (!basis.writeContracted) {
      if (!basis.shells[l].empty()) shells.push_back({l, basis.shells[l], {}});
      continue;
    }
    for (const ContractedShell& shell : basis.contracted)
      if (shell.l == l) shells.push_back(shell);
  }
  return shells;
}

ContractedShell joinedShell(const ElementBasis& basis, int l) {
  ContractedShell joined{l, basis.shells[l], {}};
  const auto written = writtenShells(basis);
  const bool plain =
      std::ranges::all_of(written, [&](const ContractedShell& s) { return s.l != l || s.functions.empty(); });
  if (plain) return joined;
  for (const ContractedShell& shell : written) {
    if (shell.l != l) continue;
    for (const std::vector<double>& column : columnsOf(shell)) {
      std::vector<double>& whole = joined.functions.emplace_back(joined.exponents.size(), 0.0);
      for (std::size_t p = 0; p < column.size(); ++p) {
        const auto at = std::ranges::find(joined.exponents, shell.exponents[p]);
        whole[at - joined.exponents.begin()] += column[p];
      }
    }
  }
  return joined;
}

std::string primitiveSizes(const ElementBasis& basis) {
  return sizes(basis, [&](int l) { return basis.shells[l].size(); });
}

std::string functionSizes(const ElementBasis& basis) {
  return sizes(basis, [&](int l) {
    std::size_t count = 0;
    for (const ContractedShell& shell : writtenShells(basis))
      if (shell.l == l) count += shell.functions.empty() ? shell.exponents.size() : shell.functions.size();
    return count;
  });
}

}  // namespace prophet::formats

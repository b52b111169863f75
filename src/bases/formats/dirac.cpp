#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/text.hpp"

namespace prophet::formats {
namespace {

/// First word of a block header in files that name the format of the exponents ("f", "h").
bool isFormatLetter(const std::string& word) { return word == "f" || word == "h"; }

constexpr int kMostContractions = 1000;

class DiracReader {
 public:
  explicit DiracReader(std::string file) : file_(std::move(file)) {}

  std::vector<ElementBasis> read(const std::string& text) {
    int last = 1;
    // "$" is DIRAC's, "!" Dalton's.
    for (const Line& line : linesOf(text, "$!")) addLine(line), last = line.number;
    if (expected_ > 0) fail(file_, last, "the file ends in the middle of a block");
    return std::move(elements_);
  }

 private:
  void addLine(const Line& line) {
    if (expected_ > 0) return addNumbers(line);
    const std::string first = lowerCase(line.words[0]);
    if (first == "ecp" && line.words.size() == 1) {
      corePotentials_ = true;
      return;
    }
    if (corePotentials_) return addCorePotential(line);
    if (first == "a") return beginElement(line);
    std::vector<std::string> words = line.words;
    if (isFormatLetter(first)) words.erase(words.begin());
    if (z_ == 0 || words.empty() || words.size() > 3)
      fail(file_, line.number,
           fmt::format("expected {}, found '{}'",
                       z_ == 0 ? "'a' and a nuclear charge"
                               : "the numbers of exponents and of contracted functions of a block",
                       trimmed(line.text)));
    expected_ = wholeOf(words[0], file_, line.number);
    contractions_ = words.size() > 1 ? wholeOf(words[1], file_, line.number) : 0;
    if (++l_ > kMostL) fail(file_, line.number, fmt::format("a shell of angular momentum beyond {}", kMostL));
    if (expected_ < 0) fail(file_, line.number, "a number of exponents below 0");
    if (contractions_ < 0 || contractions_ > kMostContractions)
      fail(file_, line.number, fmt::format("{} contracted functions", contractions_));
    addExponents(entryFor(elements_, z_), l_, {});
    shell_.emplace(std::vector<int>{l_}, "", file_, line.number);
  }

  int chargeOf(const Line& line) const {
    const int z = line.words.size() > 1 ? wholeOf(line.words[1], file_, line.number) : 0;
    if (z < 1 || z > kLastElement) fail(file_, line.number, "expected 'a' and a nuclear charge");
    return z;
  }

  /// Behind Dalton's line "ECP": "a 86", the largest l and the number of electrons, terms.
  void addCorePotential(const Line& line) {
    if (lowerCase(line.words[0]) == "a") {
      z_ = chargeOf(line);
      entryFor(elements_, z_).line = line.number;
      entryFor(elements_, z_).coreElectrons = 0;
      return;
    }
    if (z_ == 0 || line.words.size() < 2) return;
    ElementBasis& element = entryFor(elements_, z_);
    if (element.coreElectrons == 0) element.coreElectrons = wholeOf(line.words[1], file_, line.number);
  }

  void beginElement(const Line& line) {
    z_ = chargeOf(line);
    ElementBasis& element = entryFor(elements_, z_);
    if (element.line > 0)
      fail(file_, line.number, fmt::format("a second set of {} in the same file", symbolOf(z_)));
    element.line = line.number;
    l_ = -1;
  }

  /// An exponent with its coefficients, which may go on over several lines.
  void addNumbers(const Line& line) {
    primitive_.insert(primitive_.end(), line.words.begin(), line.words.end());
    const std::size_t needed = 1 + static_cast<std::size_t>(contractions_);
    if (primitive_.size() < needed) return;
    // Uncontracted blocks may have a column of ones.
    const bool ones = contractions_ == 0 &&
                      std::all_of(primitive_.begin() + 1, primitive_.end(),
                                  [&](auto& word) { return realOf(word, file_, line.number) == 1.0; });
    if (primitive_.size() > needed && !ones)
      fail(file_, line.number,
           fmt::format("{} coefficients of an exponent, expected {}", primitive_.size() - 1, contractions_));
    if (contractions_ == 0) primitive_.resize(1);
    shell_->add(primitive_, line.number);
    primitive_.clear();
    if (--expected_ > 0) return;
    ElementBasis& element = entryFor(elements_, z_);
    shell_->finish(element);
    if (contractions_ == 0) element.contracted.back().functions.clear();
  }

  std::string file_;
  std::vector<ElementBasis> elements_;
  std::optional<ShellReader> shell_;
  std::vector<std::string> primitive_;
  int z_ = 0, l_ = -1, expected_ = 0, contractions_ = 0;
  bool corePotentials_ = false;  ///< in Dalton's section of them
};

/// The layout of DIRAC's basis set library: "a 86", then for each l the numbers of exponents and of
/// contracted functions (0: none) and the exponents with their coefficients; "$" begins a comment.
std::string writeDirac(const std::vector<ElementBasis>& elements) {
  std::string text;
  for (const ElementBasis& e : elements) text += headerOf(e, '$');
  for (const ElementBasis& e : elements) {
    text += fmt::format("$ {}\na {}\n", symbolOf(e.z), e.z);
    for (std::size_t l = 0; l < e.shells.size(); ++l) {
      const ContractedShell shell = joinedShell(e, static_cast<int>(l));
      text += fmt::format("$ {} functions\n{:>5}{:>5}{:>5}\n", letterOfL(shell.l), shell.exponents.size(),
                          shell.functions.size(), 0);
      for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
        text += fmt::format("  {:>24}", realText(shell.exponents[p]));
        for (const auto& function : shell.functions) text += fmt::format("  {:>24}", realText(function[p]));
        text += "\n";
      }
    }
  }
  return text;
}

std::vector<ElementBasis> readDirac(const std::string& text, const std::string& file) {
  return DiracReader(file).read(text);
}

bool beginsDirac(const std::vector<std::string>& words) {
  return words[0] == "a" && words.size() > 1 && words[1].find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

const Format kDirac = {"dirac", "DIRAC", writeDirac, readDirac, beginsDirac};

}  // namespace prophet::formats

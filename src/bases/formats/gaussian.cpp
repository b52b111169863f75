#include <fmt/format.h>

#include <optional>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/text.hpp"

namespace prophet::formats {
namespace {

constexpr int kLargestLInGaussian = 7;  // s ... k; L is an SP shell

/// .gbs: "Rn 0", shells "S 1 1.00", one for each function (the format has segmented contractions only),
/// "****" after each element (one before the first stops the Exchange's reader).
std::string writeGaussian(const std::vector<ElementBasis>& elements) {
  std::string text;
  for (const ElementBasis& e : elements) text += headerOf(e, '!');
  for (const ElementBasis& e : elements) {
    text += fmt::format("{:<2}     0\n", symbolOf(e.z));
    for (const ContractedShell& shell : writtenShells(e)) {
      const char letter = shellLetter(shell.l, kLargestLInGaussian, "gaussian");
      if (shell.functions.empty()) {
        for (const double zeta : shell.exponents)
          text += fmt::format("{}    1   1.00\n  {:>24}  1.0\n", letter, realText(zeta));
      }
      for (const std::vector<double>& function : shell.functions) {
        text += fmt::format("{} {:>4}   1.00\n", letter, function.size());
        for (std::size_t p = 0; p < function.size(); ++p)
          text += fmt::format("  {:>24}  {:>24}\n", realText(shell.exponents[p]), realText(function[p]));
      }
    }
    text += "****\n";
  }
  return text;
}

class GaussianReader {
 public:
  explicit GaussianReader(std::string file) : file_(std::move(file)) {}

  std::vector<ElementBasis> read(const std::string& text) {
    int last = 1;
    for (const Line& line : linesOf(text, '!')) addLine(line), last = line.number;
    if (shell_) fail(file_, last, "the file ends in the middle of a shell");
    if (potentials_ > 0 || terms_ > 0) fail(file_, last, "the file ends in the middle of a core potential");
    return std::move(elements_);
  }

 private:
  void addLine(const Line& line) {
    if (potentials_ > 0 || terms_ > 0) return addPotentialLine(line);
    if (shell_) return addPrimitive(line);
    if (line.words[0] == "****") {
      z_ = 0;
    } else if (z_ == 0) {
      beginElement(line);
    } else if (!beginCorePotential(line)) {
      beginShell(line);
    }
  }

  void beginElement(const Line& line) {
    const std::string& first = line.words[0];
    z_ = elementOfWord(first[0] == '-' ? first.substr(1) : first);
    if (z_ == 0) fail(file_, line.number, fmt::format("expected an element, found '{}'", first));
    if (line.words.size() > 1 && line.words[1] != "0")
      fail(file_, line.number, fmt::format("expected '{} 0', found '{}'", first, trimmed(line.text)));
    ElementBasis& element = entryFor(elements_, z_);
    again_ = element.line > 0;
    element.line = line.number;
  }

  /// "RN-ECP 3 60": largest l and number of electrons; then for each l a title, a count and its terms.
  bool beginCorePotential(const Line& line) {
    if (line.words.size() != 3 || !shellMomenta(line.words[0]).empty()) return false;
    const int largest = wholeOf(line.words[1], file_, line.number);
    if (largest < 0 || largest > kMostL) fail(file_, line.number, "a core potential with an impossible l");
    ElementBasis& element = entryFor(elements_, z_);
    element.coreElectrons = wholeOf(line.words[2], file_, line.number);
    element.line = line.number;
    potentials_ = largest + 1;
    return true;
  }

  void addPotentialLine(const Line& line) {
    if (terms_ > 0) {
      if (--terms_ == 0 && potentials_ == 0) z_ = 0;
    } else if (!title_) {
      title_ = true;
    } else {
      terms_ = wholeOf(line.words[0], file_, line.number);
      if (terms_ < 1) fail(file_, line.number, "a core potential needs one term or more");
      title_ = false;
      --potentials_;
    }
  }

  void beginShell(const Line& line) {
    const std::vector<int> momenta = shellMomenta(line.words[0]);
    if (momenta.empty() || line.words.size() < 2)
      fail(file_, line.number,
           fmt::format("expected a shell and its length, found '{}'", trimmed(line.text)));
    if (again_) fail(file_, line.number, fmt::format("a second set of {} in the same file", symbolOf(z_)));
    expected_ = wholeOf(line.words[1], file_, line.number);
    if (expected_ < 1) fail(file_, line.number, "a shell needs one primitive or more");
    std::vector<double> scales;
    for (std::size_t i = 2; i < line.words.size(); ++i) {
      scales.push_back(realOf(line.words[i], file_, line.number));
      if (!(scales.back() > 0)) fail(file_, line.number, "a scale factor must be above 0");
    }
    shell_.emplace(momenta, file_, line.number, std::move(scales));
  }

  void addPrimitive(const Line& line) {
    shell_->add(line.words, line.number);
    if (shell_->primitives() < expected_) return;
    shell_->finish(entryFor(elements_, z_));
    shell_.reset();
  }

  std::string file_;
  std::vector<ElementBasis> elements_;
  std::optional<ShellReader> shell_;
  int z_ = 0, expected_ = 0;
  bool again_ = false;
  int potentials_ = 0, terms_ = 0;  ///< of a core potential that are still to come
  bool title_ = false;
};

std::vector<ElementBasis> readGaussian(const std::string& text, const std::string& file) {
  return GaussianReader(file).read(text);
}

bool beginsGaussian(const std::vector<std::string>& words) {
  if (words[0] == "****") return true;
  const std::string element = words[0][0] == '-' ? words[0].substr(1) : words[0];
  return words.size() == 2 && words[1] == "0" && elementOfWord(element) > 0;
}

}  // namespace

const Format kGaussian = {"gaussian", "Gaussian", writeGaussian, readGaussian, beginsGaussian};

}  // namespace prophet::formats

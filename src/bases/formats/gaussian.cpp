#include <fmt/format.h>

#include <optional>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/text.hpp"

namespace prophet::formats {
namespace {

/// "AO basis set in the form of general basis input (Overlap normalization):". `first`: in lower case.
bool isTitleOfGfinput(const std::string& first, const std::vector<std::string>& words) {
  return first == "ao" && words.size() > 2 && lowerCase(words[1]) == "basis";
}

/// Letters to l = 8, J and K among them; L alone is an SP shell.
std::string shellName(int l) {
  constexpr std::string_view kLetters = "SPDFGHIJK";
  return l < static_cast<int>(kLetters.size()) ? std::string(1, kLetters[l]) : fmt::format("L={}", l);
}

/// .gbs: "Rn 0", shells "S 1 1.00", one for each function (the format has segmented contractions only),
/// "****" after each element (one before the first stops the Exchange's reader).
std::string writeGaussian(const std::vector<ElementBasis>& elements) {
  std::string text;
  for (const ElementBasis& e : elements) text += headerOf(e, '!');
  for (const ElementBasis& e : elements) {
    text += fmt::format("{:<2}     0\n", symbolOf(e.z));
    for (const ContractedShell& shell : writtenShells(e)) {
      const std::string name = shellName(shell.l);
      if (shell.functions.empty()) {
        for (const double zeta : shell.exponents)
          text += fmt::format("{}    1   1.00\n  {:>24}  1.0\n", name, realText(zeta));
      }
      for (const std::vector<double>& function : shell.functions) {
        text += fmt::format("{} {:>4}   1.00\n", name, function.size());
        for (std::size_t p = 0; p < function.size(); ++p)
          text += fmt::format("  {:>24}  {:>24}\n", realText(shell.exponents[p]), realText(function[p]));
      }
    }
    text += "****\n";
  }
  return text;
}

bool isAtomNumber(const std::string& word) {
  return word.find_first_not_of("0123456789") == std::string::npos;
}

class GaussianReader {
 public:
  explicit GaussianReader(std::string file) : file_(std::move(file)) {}

  std::vector<ElementBasis> read(const std::string& text) {
    int last = 1;
    for (const Line& line : linesOf(text, "!")) addLine(line), last = line.number;
    if (shell_) fail(file_, last, "the file ends in the middle of a shell");
    if (potentials_ > 0 || terms_ > 0) fail(file_, last, "the file ends in the middle of a core potential");
    if (z_ > 0)
      fail(
          file_, last,
          fmt::format("the file ends without the '****' behind the set of {}; is it cut off?", symbolOf(z_)));
    return std::move(elements_);
  }

 private:
  void addLine(const Line& line) {
    if (potentials_ > 0 || terms_ > 0) return addPotentialLine(line);
    if (shell_) return addPrimitive(line);
    const std::string first = lowerCase(line.words[0]);
    if (first == "****") {
      z_ = 0;
    } else if (z_ == 0 && line.words.size() == 1 && (first == "spherical" || first == "cartesian")) {
      isCartesian_ = first == "cartesian";  // Psi4's files begin so
    } else if (z_ == 0 && isTitleOfGfinput(first, line.words)) {
      return;
    } else if (z_ == 0) {
      beginElement(line);
    } else if (!beginCorePotential(line)) {
      beginShell(line);
    }
  }

  void beginElement(const Line& line) {
    const std::string& first = line.words[0];
    z_ = elementOfWord(first[0] == '-' ? first.substr(1) : first);
    if (z_ == 0)
      fail(file_, line.number,
           fmt::format("expected an element, found '{}'{}", first,
                       isAtomNumber(first)
                           ? "; gfinput prints the numbers of the atoms: replace them by symbols"
                           : ""));
    if (line.words.size() > 1 && line.words[1] != "0")
      fail(file_, line.number, fmt::format("expected '{} 0', found '{}'", first, trimmed(line.text)));
    ElementBasis& element = entryFor(elements_, z_);
    again_ = element.line > 0;
    element.line = line.number;
  }

  /// "RN-ECP 3 60": largest l and number of electrons; then for each l a title, a count and its terms.
  bool beginCorePotential(const Line& line) {
    if (line.words.size() != 3 || !shellMomenta(line.words[0], Letters::WithJ).empty() ||
        line.words[2].find('.') != std::string::npos)
      return false;
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
    const std::vector<int> momenta = shellMomenta(line.words[0], Letters::WithJ);
    const bool isL = lowerCase(line.words[0]) == "l";
    if (momenta.empty() || line.words.size() < 2)
      fail(file_, line.number,
           fmt::format("expected a shell and its length, found '{}'", trimmed(line.text)));
    if (again_) fail(file_, line.number, fmt::format("a second set of {} in the same file", symbolOf(z_)));
    expected_ = wholeOf(line.words[1], file_, line.number);
    if (expected_ < 1) fail(file_, line.number, "a shell needs one primitive or more");
    std::vector<double> scales;
    for (std::size_t i = 2; i < line.words.size(); ++i) {
      const double scale = realOf(line.words[i], file_, line.number);
      // gfinput prints a second one that is 0 and stands for none.
      if (scale == 0 && !scales.empty()) continue;
      if (!(scale > 0)) fail(file_, line.number, "a scale factor must be above 0");
      scales.push_back(scale);
    }
    shell_.emplace(momenta, line.words[0], file_, line.number, scales);
    if (scales.size() > 2 || (scales.size() == 2 && scales[1] != scales[0] && !shell_->mayBeFused()))
      fail(file_, line.number, "a scale factor too many; a shell has one, an SP shell has two");
    if (isCartesian_ && momenta.back() > 1 && !isL) {
      ElementBasis& element = entryFor(elements_, z_);
      element.cartesian = "'cartesian'";
      element.cartesianLine = line.number;
    }
  }

  /// Other formats have columns of coefficients for several functions.
  void addPrimitive(const Line& line) {
    const std::size_t numbers = line.words.size();
    if (numbers != 2 && !(numbers == 3 && shell_->mayBeFused()))
      fail(file_, line.number,
           fmt::format("{} numbers in a line of a shell, '{}'; Gaussian's format has the exponent and one "
                       "coefficient (two in SP shells), and no numbers of lines",
                       numbers, trimmed(line.text)));
    shell_->add(line.words, line.number);
    if (shell_->primitives() < expected_) return;
    shell_->finish(entryFor(elements_, z_));
    shell_.reset();
  }

  std::string file_;
  std::vector<ElementBasis> elements_;
  std::optional<ShellReader> shell_;
  int z_ = 0, expected_ = 0;
  bool again_ = false, isCartesian_ = false;
  int potentials_ = 0, terms_ = 0;  ///< of a core potential that are still to come
  bool title_ = false;
};

std::vector<ElementBasis> readGaussian(const std::string& text, const std::string& file) {
  return GaussianReader(file).read(text);
}

bool beginsGaussian(const std::vector<std::string>& words) {
  if (words[0] == "****" || isTitleOfGfinput(words[0], words)) return true;
  if (words.size() == 1 && (words[0] == "spherical" || words[0] == "cartesian")) return true;
  const std::string element = words[0][0] == '-' ? words[0].substr(1) : words[0];
  return words.size() == 2 && words[1] == "0" && (elementOfWord(element) > 0 || isAtomNumber(element));
}

}  // namespace

const Format kGaussian = {"gaussian", "Gaussian", writeGaussian, readGaussian, beginsGaussian};

}  // namespace prophet::formats

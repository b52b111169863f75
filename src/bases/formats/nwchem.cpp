#include <fmt/format.h>

#include <optional>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/text.hpp"

namespace prophet::formats {
namespace {

constexpr int kLargestLInNwchem = 7;  // s ... k; l is what others call an SP shell

/// `basis "ao basis" SPHERICAL ... END`: an uncontracted primitive is a shell of its own with coefficient 1,
/// contracted functions are columns of coefficients. PySCF tells elements apart by the lines "#BASIS SET" and
/// wants END in capitals.
std::string writeNwchem(const std::vector<ElementBasis>& elements) {
  std::string text;
  for (const ElementBasis& e : elements) text += headerOf(e, '#');
  text += "basis \"ao basis\" SPHERICAL NOPRINT\n";
  for (const ElementBasis& e : elements) {
    text += fmt::format("#BASIS SET: ({}) -> [{}]\n", primitiveSizes(e), functionSizes(e));
    for (const ContractedShell& shell : writtenShells(e)) {
      const std::string head =
          fmt::format("{:<2}    {}\n", symbolOf(e.z), shellLetter(shell.l, kLargestLInNwchem, "nwchem"));
      if (!shell.functions.empty()) text += head;
      for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
        if (shell.functions.empty()) {
          text += fmt::format("{}  {:>24}  1.0\n", head, realText(shell.exponents[p]));
          continue;
        }
        text += fmt::format("  {:>24}", realText(shell.exponents[p]));
        for (const auto& function : shell.functions) text += fmt::format("  {:>24}", realText(function[p]));
        text += "\n";
      }
    }
  }
  return text + "END\n";
}

/// What a section of the file is for: "ao basis" and sections without a name hold the orbitals' functions.
enum class Section { None, Orbitals, Other, CorePotential };

bool isFittingSet(const std::string& line) {
  for (const char* name : {"\"cd ", "\"xc ", "\"ri", "\"aux", "\"small"})
    if (line.find(name) != std::string::npos) return true;
  return false;
}

class NwchemReader {
 public:
  explicit NwchemReader(std::string file) : file_(std::move(file)) {}

  std::vector<ElementBasis> read(const std::string& text) {
    int last = 1;
    for (const Line& line : linesOf(text, '#')) addLine(line), last = line.number;
    finishShell();
    if (section_ != Section::None) fail(file_, last, "the file ends without the 'end' of its section");
    return std::move(elements_);
  }

 private:
  void addLine(const Line& line) {
    const std::string first = lowerCase(line.words[0]);
    if (first == "end") {
      finishShell();
      section_ = Section::None;
    } else if (first == "basis") {
      finishShell();
      section_ = isFittingSet(lowerCase(line.text)) ? Section::Other : Section::Orbitals;
    } else if (first == "ecp") {
      finishShell();
      section_ = Section::CorePotential;
    } else if (section_ == Section::CorePotential) {
      addCorePotential(line);
    } else if (section_ != Section::Other) {
      addOrbitals(line, first);
    }
  }

  void addOrbitals(const Line& line, const std::string& first) {
    if (isReal(first)) {
      if (!shell_) fail(file_, line.number, "an exponent before the first shell");
      return shell_->add(line.words, line.number);
    }
    const int z = elementOfWord(first);
    if (z == 0 || line.words.size() < 2)
      fail(file_, line.number,
           fmt::format("expected an element and a shell, found '{}'", trimmed(line.text)));
    const std::vector<int> momenta = shellMomenta(line.words[1]);
    if (momenta.empty()) fail(file_, line.number, fmt::format("unknown shell '{}'", line.words[1]));
    finishShell();
    z_ = z;
    ElementBasis& element = entryFor(elements_, z);
    if (element.line == 0) element.line = line.number;
    shell_.emplace(momenta, file_, line.number);
  }

  void addCorePotential(const Line& line) {
    if (line.words.size() != 3 || lowerCase(line.words[1]) != "nelec") return;
    const int z = elementOfWord(line.words[0]);
    if (z == 0) fail(file_, line.number, fmt::format("expected an element, found '{}'", line.words[0]));
    ElementBasis& element = entryFor(elements_, z);
    element.coreElectrons = wholeOf(line.words[2], file_, line.number);
    element.line = line.number;
  }

  void finishShell() {
    if (shell_) shell_->finish(entryFor(elements_, z_));
    shell_.reset();
  }

  std::string file_;
  std::vector<ElementBasis> elements_;
  Section section_ = Section::None;
  std::optional<ShellReader> shell_;
  int z_ = 0;
};

std::vector<ElementBasis> readNwchem(const std::string& text, const std::string& file) {
  return NwchemReader(file).read(text);
}

bool beginsNwchem(const std::vector<std::string>& words) {
  const std::string& first = words[0];
  if (first == "basis" || first == "#basis" || (first == "ecp" && words.size() == 1)) return true;
  return words.size() == 2 && elementOfWord(first) > 0 && !shellMomenta(words[1]).empty();
}

}  // namespace

const Format kNwchem = {"nwchem", "NWChem", writeNwchem, readNwchem, beginsNwchem};

}  // namespace prophet::formats

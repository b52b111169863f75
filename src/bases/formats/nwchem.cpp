#include <fmt/format.h>

#include <map>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet::formats {
namespace {

/// s ... k; l is what others call an SP shell.
char shellLetter(int l) {
  if (l > 7) throw Error(fmt::format("the format nwchem has no shells of angular momentum {}", l));
  return static_cast<char>(std::toupper(letterOfL(l)));
}

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
      const std::string head = fmt::format("{:<2}    {}\n", symbolOf(e.z), shellLetter(shell.l));
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

/// The line of a section, in lower case: its name, "ao basis" where it has none, and the words behind it.
struct SectionHead {
  std::string name = "ao basis";
  std::vector<std::string> words;
};

bool isSectionWord(const std::string& word) {
  for (const char* known : {"spherical", "cartesian", "print", "noprint", "segment", "nosegment"})
    if (word == known) return true;
  return false;
}

SectionHead sectionHead(const Line& line) {
  SectionHead head;
  std::string text = lowerCase(line.text);
  const std::size_t begin = text.find('"'), end = text.find('"', begin + 1);
  if (begin != std::string::npos && end != std::string::npos) {
    head.name = trimmed(text.substr(begin + 1, end - begin - 1));
    text.replace(begin, end + 1 - begin, " ");
  }
  head.words = splitWords(text, " \t\r");
  head.words.erase(head.words.begin());
  if (begin == std::string::npos && !head.words.empty() && !isSectionWord(head.words[0])) {
    head.name = head.words[0];
    head.words.erase(head.words.begin());
  }
  return head;
}

class NwchemReader {
 public:
  explicit NwchemReader(std::string file) : file_(std::move(file)) {}

  std::vector<ElementBasis> read(const std::string& text) {
    int last = 1;
    for (const Line& line : linesOf(text, "#")) addLine(line), last = line.number;
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
      ++sections_;
    } else if (first == "basis") {
      finishShell();
      beginSection(line);
    } else if (first == "ecp") {
      finishShell();
      section_ = Section::CorePotential;
    } else if (section_ == Section::CorePotential) {
      addCorePotential(line);
    } else if (section_ != Section::Other) {
      addOrbitals(line, first);
    }
  }

  /// Sections that give the orbitals' functions have one name, or the file does not say which of them counts.
  void beginSection(const Line& line) {
    if (section_ != Section::None) fail(file_, line.number, "a section inside another one; 'end' is missing");
    section_ = isFittingSet(lowerCase(line.text)) ? Section::Other : Section::Orbitals;
    ++sections_;
    if (section_ == Section::Other) return;
    const SectionHead head = sectionHead(line);
    cartesian_ = "a section without either word, which NWChem takes as CARTESIAN";
    cartesianLine_ = line.number;
    for (const std::string& word : head.words) {
      if (!isSectionWord(word))
        fail(file_, line.number,
             fmt::format("'{}' in the line of a section; expected a name in quotes, SPHERICAL or CARTESIAN, "
                         "PRINT or NOPRINT, SEGMENT or NOSEGMENT",
                         word));
      if (word == "spherical") cartesian_.clear();
      if (word == "cartesian") cartesian_ = "'CARTESIAN'";
    }
    if (!name_.empty() && head.name != name_)
      fail(file_, line.number,
           fmt::format("a second section, '{}' after '{}'; leave the one with the orbitals' functions",
                       head.name, name_));
    name_ = head.name;
  }

  /// A set of an element is in one section, under one tag.
  void requireOneSet(const Line& line) {
    const std::pair set{sections_, lowerCase(line.words[0])};
    const auto at = sets_.try_emplace(z_, set).first;
    if (at->second == set) return;
    const bool tags = at->second.first == sections_;
    fail(file_, line.number,
         fmt::format("a second set of {} in the same file{}", symbolOf(z_),
                     tags ? fmt::format(": the tags are '{}' and '{}'", at->second.second, set.second) : ""));
  }

  void addOrbitals(const Line& line, const std::string& first) {
    if (isReal(first)) {
      if (!shell_) fail(file_, line.number, "an exponent before the first shell");
      ++primitives_;
      if (line.words.size() == 1) bareLine_ = line.number;
      if (primitives_ > 1 && bareLine_ > 0)
        fail(file_, bareLine_, "this exponent has no coefficient; only a shell of one primitive needs none");
      return shell_->add(line.words, line.number);
    }
    const int z = elementOfWord(first);
    if (z == 0 || line.words.size() != 2)
      fail(file_, line.number,
           fmt::format("expected an element and a shell, found '{}'", trimmed(line.text)));
    const std::vector<int> momenta = shellMomenta(line.words[1]);
    if (momenta.empty()) fail(file_, line.number, fmt::format("unknown shell '{}'", line.words[1]));
    finishShell();
    z_ = z;
    requireOneSet(line);
    ElementBasis& element = entryFor(elements_, z);
    if (element.line == 0) element.line = line.number;
    shell_.emplace(momenta, line.words[1], file_, line.number);
    primitives_ = bareLine_ = 0;
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
    if (!shell_) return;
    ElementBasis& element = entryFor(elements_, z_);
    shell_->finish(element);
    if (section_ == Section::Orbitals && !cartesian_.empty() && element.contracted.back().l > 1) {
      element.cartesian = cartesian_;
      element.cartesianLine = cartesianLine_;
    }
    shell_.reset();
  }

  std::string file_;
  std::vector<ElementBasis> elements_;
  Section section_ = Section::None;
  std::optional<ShellReader> shell_;
  int primitives_ = 0, bareLine_ = 0;  ///< of the shell; the line of one without a coefficient, 0: none
  int z_ = 0;
  int sections_ = 0;       ///< and what is between them, up to now
  std::string name_;       ///< of those with the orbitals' functions
  std::string cartesian_;  ///< as ElementBasis has it, of this section
  int cartesianLine_ = 0;
  std::map<int, std::pair<int, std::string>> sets_;  ///< section and tag of each element's set
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

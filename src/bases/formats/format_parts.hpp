#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bases/formats/exchange_formats.hpp"

/// Shared by the readers and writers of src/bases/formats; not for other folders.
namespace prophet::formats {

/// A format: how it is called, written, read and recognised. A new one is a file beside this one, which
/// defines its row, and the row's name in the two lines below.
struct Format {
  const char *name, *description;
  std::string (*write)(const std::vector<ElementBasis>&);
  std::vector<ElementBasis> (*read)(const std::string& text, const std::string& file);
  /// Whether no other format has a line that begins with these words, in lower case.
  bool (*begins)(const std::vector<std::string>& words);
};
extern const Format kJson, kNwchem, kDirac, kGaussian, kOwn;
inline const Format* const kFormats[] = {&kJson, &kNwchem, &kDirac, &kGaussian, &kOwn};

/// All digits, at least one after the point: other programs' readers want a real number.
std::string realText(double value);
/// Comment lines on an element: name, reference and notes.
std::string headerOf(const ElementBasis& basis, char comment);
/// What a writer writes, by l: of plain lists a shell for each l without `functions`; of contracted sets the
/// shells as they are.
std::vector<ContractedShell> writtenShells(const ElementBasis& basis);
/// All shells of one l as one: the exponents of all, descending, each once, and a column over them for each
/// function; no columns where every primitive is a function.
ContractedShell joinedShell(const ElementBasis& basis, int l);
/// "10s,6p": primitives, and functions.
std::string primitiveSizes(const ElementBasis& basis);
std::string functionSizes(const ElementBasis& basis);
/// Letters of angular momenta: the spectroscopic ones, which leave out J, as NWChem has them (l = 7 is K), or
/// Gaussian's (l = 7 is J, l = 8 is K). So the writers and readers of the Basis Set Exchange.
enum class Letters { WithoutJ, WithJ };
/// Angular momenta of a shell's letters: "S" -> 0, "SP" -> 0 1, "L=8" -> 8; empty if unknown. "L" stands for
/// 8 (9 with J) or, with two coefficients a primitive, for 0 1: see ShellReader.
std::vector<int> shellMomenta(const std::string& letters, Letters which = Letters::WithoutJ);
/// "Rn", "RN", "rn-0" -> 86; 0 if there is no such element.
int elementOfWord(std::string word);
/// Adds exponents to shell l, making it where it is new, in any order; see sortShells. `l` from 0 to kMostL.
void addExponents(ElementBasis& basis, int l, const std::vector<double>& exponents);
/// Brings the exponents of every shell into order: descending, each once.
void sortShells(ElementBasis& basis);
/// No basis has shells of a larger angular momentum.
constexpr int kMostL = 20;
ElementBasis& entryFor(std::vector<ElementBasis>& elements, int z);

/// Collects the primitives of one shell with their coefficients and adds the shell to an element.
class ShellReader {
 public:
  /// `letters`: those of `momenta`, where the format has them. `scales`: exponents count times the square of
  /// the scale of their angular momentum; empty: 1.
  ShellReader(std::vector<int> momenta, const std::string& letters, std::string file, int line,
              std::vector<double> scales = {});
  /// A line "exponent coefficient ...": as many coefficients as on the shell's other lines; none: 1.
  void add(const std::vector<std::string>& words, int line);
  int primitives() const { return static_cast<int>(rows_.size()); }
  /// Throws as fail() for a shell without primitives, SP with other than two coefficients, more functions
  /// than primitives, and lines that seem to be numbered.
  void finish(ElementBasis& basis);
  /// Whether it may be an SP shell.
  bool mayBeFused() const { return momenta_.size() > 1 || isL_; }

 private:
  void refuseNumberedLines() const;

  std::vector<int> momenta_;
  bool isL_;  ///< its letter is "L"
  std::string file_;
  int line_ = 0;
  std::vector<double> scales_;
  std::vector<double> exponents_;
  std::vector<std::vector<double>> rows_;  ///< coefficients of each primitive
  std::vector<bool> numbers_;              ///< of each column: whether it is 1, 2, 3, ..., without a fraction
};

/// Lines of a text with their words.
struct Line {
  int number = 0;
  std::string text;
  std::vector<std::string> words;
};
/// Non-empty lines without what follows any of `comments` (characters that begin a comment anywhere in a
/// line).
std::vector<Line> linesOf(const std::string& text, std::string_view comments);
[[noreturn]] void fail(const std::string& file, int line, const std::string& what);
/// An exponent: a real number, D exponents allowed, in the range of isUsableExponent. Throws as fail().
double exponentOf(const std::string& word, const std::string& file, int line);
bool isReal(const std::string& word);
/// A finite real number, D exponents allowed. Throws as fail().
double realOf(const std::string& word, const std::string& file, int line);
int wholeOf(const std::string& word, const std::string& file, int line);

}  // namespace prophet::formats

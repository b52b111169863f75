#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <tuple>

#include "atom/configuration.hpp"
#include "atom/elements.hpp"

namespace prophet {
namespace {

constexpr int kLargestN = 20;
constexpr int kLargestParsedL = 15;

/// A non-relativistic shell n l^q with the column where it stands (0: it came with the core).
struct Shell {
  int n = 0, l = 0, electrons = 0, column = 0;
  int capacity() const { return 4 * l + 2; }
  bool partlyFilled() const { return electrons < capacity(); }
  std::string name() const { return fmt::format("{}{}", n, letterOfL(l)); }
};

bool isNobleGas(int z) {
  constexpr int kNobleGases[] = {2, 10, 18, 36, 54, 86, 118};
  return std::find(std::begin(kNobleGases), std::end(kNobleGases), z) != std::end(kNobleGases);
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::vector<Shell> parse() {
    skipBlanks();
    if (atEnd()) fail(1, "it is empty; expected shells such as 1s2 2s2 2p3");
    if (text_[at_] == '[') readCore();
    for (skipBlanks(); !atEnd(); skipBlanks()) addShell(readShell());
    return shells_;
  }

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& reason) const {
    throw ConfigurationError(text_, static_cast<int>(column), reason);
  }
  bool atEnd() const { return at_ >= text_.size(); }
  char peek() const { return atEnd() ? '\0' : text_[at_]; }
  bool atDigit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }
  void skipBlanks() {
    while (!atEnd() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  /// What stands at `from` up to the next blank, for messages.
  std::string word(std::size_t from) const {
    const auto end = text_.find_first_of(" \t\n", from);
    return text_.substr(from, end == std::string::npos ? end : end - from);
  }

  void readCore() {
    const std::size_t open = at_;
    const auto close = text_.find(']', open);
    if (close == std::string::npos)
      fail(open + 1, "the core has no closing bracket; expected [Ne] or the like");
    const auto symbol = text_.substr(open + 1, close - open - 1);
    const auto z = elementOf(symbol);
    if (!z || !isNobleGas(*z))
      fail(open + 2, fmt::format("'{}' is not a noble gas; expected He, Ne, Ar, Kr, Xe, Rn or Og", symbol));
    at_ = close + 1;
    for (auto shell : Parser(groundConfiguration(*z)).parse()) {
      shell.column = 0;
      shells_.push_back(shell);
    }
  }

  int readNumber(const char* expected) {
    const std::size_t start = at_;
    if (!atDigit()) fail(at_ + 1, fmt::format("found '{}', expected {}", word(at_), expected));
    int value = 0;
    for (; atDigit(); ++at_)
      if (at_ - start < 6) value = 10 * value + (text_[at_] - '0');
    if (at_ - start > 5) fail(start + 1, "the number is too long");
    return value;
  }

  Shell readShell() {
    Shell shell;
    shell.column = static_cast<int>(at_) + 1;
    const std::string found = word(at_);
    shell.n = readNumber("a shell such as 3d5");
    shell.l = lOfLetter(peek());
    if (atEnd() || shell.l < 0 || shell.l > kLargestParsedL)
      fail(at_ + 1,
           fmt::format("'{}' is not a shell; expected a letter s, p, d, f, g ... after {}", found, shell.n));
    ++at_;
    if (shell.n <= shell.l || shell.n > kLargestN)
      fail(static_cast<std::size_t>(shell.column),
           fmt::format("there is no shell {}; n of {} shells runs from {} to {}", shell.name(),
                       letterOfL(shell.l), shell.l + 1, kLargestN));
    if (peek() == '^') ++at_;
    const std::size_t numberAt = at_;
    shell.electrons = readNumber("the number of electrons in the shell, as in 2p3");
    if (shell.electrons < 1 || shell.electrons > shell.capacity())
      fail(numberAt + 1, fmt::format("{} electrons in {}; expected 1 to {}", shell.electrons, shell.name(),
                                     shell.capacity()));
    if (!atEnd() && !std::isspace(static_cast<unsigned char>(peek())))
      fail(at_ + 1,
           fmt::format("found '{}' after {}{}, expected a blank", word(at_), shell.name(), shell.electrons));
    return shell;
  }

  void addShell(const Shell& shell) {
    for (const auto& other : shells_) {
      if (other.l != shell.l || other.n != shell.n) continue;
      fail(static_cast<std::size_t>(shell.column),
           fmt::format("the shell {} is given twice{}", shell.name(),
                       other.column == 0 ? " (the core holds it); to open a shell of the core, write its "
                                           "shells one by one instead of the brackets"
                                         : ""));
    }
    shells_.push_back(shell);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Shell> shells_;
};

/// An open relativistic spinor and the shell that it belongs to.
struct OpenPart {
  const Shell* shell;
  double degeneracy;
  double electrons() const { return degeneracy * shell->electrons / shell->capacity(); }
};

/// w_ab: within one shell of q electrons in m places the average over all its determinants; different shells
/// are filled independently, <n_a n_b> = <n_a><n_b>.
double pairWeight(const OpenPart& a, const OpenPart& b) {
  if (a.shell != b.shell) return a.electrons() * b.electrons();
  const double q = a.shell->electrons, m = a.shell->capacity();
  return a.degeneracy * b.degeneracy * q * (q - 1.0) / (m * (m - 1.0));
}

}  // namespace

Configuration parseConfiguration(const std::string& text, int symmetries) {
  auto shells = Parser(text).parse();
  std::sort(shells.begin(), shells.end(),
            [](const Shell& a, const Shell& b) { return std::tie(a.l, a.n) < std::tie(b.l, b.n); });
  int count = symmetries;
  for (const auto& shell : shells) count = std::max(count, 2 * shell.l + 1);
  Configuration configuration;
  configuration.description = text;
  configuration.symmetries.resize(count);
  std::vector<OpenPart> open;
  for (int a = 0; a < count; ++a) {
    const auto symmetry = Symmetry::fromIndex(a);
    for (const auto& shell : shells) {
      if (shell.l != symmetry.l()) continue;
      const OpenPart part{&shell, static_cast<double>(symmetry.degeneracy())};
      if (shell.partlyFilled()) open.push_back(part);
      configuration.symmetries[a].spinors.push_back(
          {shell.n - shell.l - 1, shell.partlyFilled() ? part.electrons() : part.degeneracy,
           shell.partlyFilled()});
    }
  }
  const auto parts = static_cast<Eigen::Index>(open.size());
  configuration.openPairWeights.resize(parts, parts);
  for (Eigen::Index a = 0; a < parts; ++a)
    for (Eigen::Index b = 0; b < parts; ++b)
      configuration.openPairWeights(a, b) = pairWeight(open[a], open[b]);
  return configuration;
}

}  // namespace prophet

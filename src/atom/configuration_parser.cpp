#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

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
    for (const auto& shell : shells_) checkOrder(shell);
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
      if (other.l != shell.l) continue;
      const auto column = static_cast<std::size_t>(shell.column);
      if (other.n == shell.n)
        fail(column, fmt::format("the shell {} is given twice{}", shell.name(),
                                 other.column == 0 ? " (the core holds it)" : ""));
      if (other.partlyFilled() && shell.partlyFilled())
        fail(column,
             fmt::format("{} and {} are both partly filled; at most one open shell of each l can be treated",
                         other.name(), shell.name()));
    }
    shells_.push_back(shell);
  }

  /// Spinors are counted from the bottom of each symmetry, so every shell needs all full ones below it.
  void checkOrder(const Shell& shell) const {
    for (int n = shell.l + 1; n < shell.n; ++n) {
      const auto below = std::find_if(shells_.begin(), shells_.end(),
                                      [&](const Shell& s) { return s.l == shell.l && s.n == n; });
      const Shell wanted{n, shell.l, 0, 0};
      if (below == shells_.end() || below->partlyFilled())
        fail(static_cast<std::size_t>(std::max(shell.column, 1)),
             fmt::format("{} needs a full {} below it", shell.name(), wanted.name()));
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Shell> shells_;
};

/// Indices of the symmetries of a non-relativistic l: l- (not for s) and l+.
std::vector<int> symmetriesOfL(int l) {
  if (l == 0) return {0};
  return {2 * l - 1, 2 * l};
}

/// Average over all determinants of q electrons in the 4l+2 spin-orbitals of a shell.
void openShell(Configuration& configuration, const Shell& shell) {
  const double q = shell.electrons, m = shell.capacity();
  for (const int a : symmetriesOfL(shell.l)) {
    const double ga = Symmetry::fromIndex(a).degeneracy();
    configuration.symmetries[a].open = true;
    configuration.symmetries[a].openElectrons = ga * q / m;
    for (const int b : symmetriesOfL(shell.l))
      configuration.openPairWeights(a, b) =
          ga * Symmetry::fromIndex(b).degeneracy() * q * (q - 1.0) / (m * (m - 1.0));
  }
}

/// Different shells are filled independently: <n_a n_b> = <n_a><n_b>.
void fillProducts(Configuration& configuration) {
  const int count = static_cast<int>(configuration.symmetries.size());
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      const auto& first = configuration.symmetries[a];
      const auto& second = configuration.symmetries[b];
      if (Symmetry::fromIndex(a).l() != Symmetry::fromIndex(b).l() && first.open && second.open)
        configuration.openPairWeights(a, b) = first.openElectrons * second.openElectrons;
    }
}

}  // namespace

Configuration parseConfiguration(const std::string& text, int symmetries) {
  const auto shells = Parser(text).parse();
  int count = symmetries;
  for (const auto& shell : shells) count = std::max(count, 2 * shell.l + 1);
  Configuration configuration;
  configuration.description = text;
  configuration.symmetries.resize(count);
  configuration.openPairWeights = Eigen::MatrixXd::Zero(count, count);
  for (const auto& shell : shells) {
    if (shell.partlyFilled()) {
      openShell(configuration, shell);
    } else {
      for (const int a : symmetriesOfL(shell.l)) ++configuration.symmetries[a].closed;
    }
  }
  fillProducts(configuration);
  return configuration;
}

}  // namespace prophet

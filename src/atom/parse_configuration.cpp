#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "atom/configuration.hpp"
#include "atom/elements.hpp"
#include "common/error.hpp"

namespace prophet {
namespace {

/// One shell nl^q of a configuration string.
struct Shell {
  int n = 0, l = 0, electrons = 0;
  std::size_t column = 0;
  int capacity() const { return 4 * l + 2; }
};

[[noreturn]] void fail(const std::string& text, std::size_t at, const std::string& message) {
  throw Error(fmt::format("configuration '{}', column {}: {}", text, at + 1, message));
}

/// Reads shells one after the other; a core in brackets stands for the ground configuration of its noble gas.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::vector<Shell> read() {
    skipBlanks();
    if (peek() == '[') readCore();
    for (skipBlanks(); at_ < text_.size(); skipBlanks()) add(readShell());
    if (shells_.empty()) fail(text_, 0, "no shells; expected something like '[Ne] 3s2 3p4'");
    return shells_;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipBlanks() {
    while (std::isspace(static_cast<unsigned char>(peek())) || peek() == '.') ++at_;
  }

  void readCore() {
    const std::size_t start = at_, end = text_.find(']', at_);
    if (end == std::string::npos) fail(text_, start, "'[' without ']'");
    const std::string symbol = text_.substr(start + 1, end - start - 1);
    const auto z = elementOf(symbol);
    static const int kNobleGases[] = {2, 10, 18, 36, 54, 86, 118};
    if (!z || std::find(std::begin(kNobleGases), std::end(kNobleGases), *z) == std::end(kNobleGases)) {
      fail(text_, start,
           fmt::format("'[{}]' is no noble-gas core; expected [He], [Ne], [Ar], [Kr], [Xe], [Rn] or [Og]",
                       symbol));
    }
    shells_ = Reader(groundConfiguration(*z)).read();
    at_ = end + 1;
  }

  int readNumber(const char* what) {
    const std::size_t start = at_;
    int value = 0;
    while (std::isdigit(static_cast<unsigned char>(peek())) && at_ - start < 4)
      value = 10 * value + (text_[at_++] - '0');
    if (at_ == start) {
      fail(text_, at_,
           at_ < text_.size() ? fmt::format("expected {}, found '{}'", what, peek())
                              : fmt::format("expected {} at the end", what));
    }
    return value;
  }

  Shell readShell() {
    Shell shell;
    shell.column = at_;
    shell.n = readNumber("a shell such as 3d5");
    const std::size_t letter = at_;
    shell.l = lOfLetter(static_cast<char>(std::tolower(static_cast<unsigned char>(peek()))));
    if (shell.l < 0)
      fail(text_, letter, "expected one of the letters s p d f g h i after the principal quantum number");
    ++at_;
    if (shell.n <= shell.l) {
      fail(text_, shell.column,
           fmt::format("there is no shell {}{}: n must exceed l = {}", shell.n, text_[letter], shell.l));
    }
    if (peek() == '^') ++at_;
    shell.electrons = readNumber("the number of electrons");
    if (shell.electrons < 1 || shell.electrons > shell.capacity()) {
      fail(text_, shell.column,
           fmt::format("{} electrons do not fit {}{}, which holds 1 to {}", shell.electrons, shell.n,
                       text_[letter], shell.capacity()));
    }
    return shell;
  }

  void add(const Shell& shell) {
    for (const Shell& other : shells_) {
      if (other.n == shell.n && other.l == shell.l) {
        fail(text_, shell.column, fmt::format("shell {}{} is there twice", shell.n, letterOfL(shell.l)));
      }
    }
    shells_.push_back(shell);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Shell> shells_;
};

/// The two symmetries of one l (one for s).
std::vector<int> symmetriesOfL(int l) {
  if (l == 0) return {0};
  return {Symmetry{l}.index(), Symmetry{-l - 1}.index()};
}

/// Full shells below the open one must be 1 .. n without gaps: a spinor is known by its number in its
/// symmetry.
void checkOrder(const std::string& text, std::vector<Shell> shells) {
  std::sort(shells.begin(), shells.end(), [](const Shell& a, const Shell& b) { return a.n < b.n; });
  std::map<int, int> next;
  std::map<int, bool> open;
  for (const Shell& s : shells) {
    const int expected = next.count(s.l) ? next[s.l] : s.l + 1;
    if (open[s.l]) fail(text, s.column, "only the highest shell of one l may be partly filled");
    if (s.n != expected) {
      fail(text, s.column,
           fmt::format("{}{} without {}{} below it; excited configurations with holes are not supported", s.n,
                       letterOfL(s.l), expected, letterOfL(s.l)));
    }
    next[s.l] = s.n + 1;
    open[s.l] = s.electrons < s.capacity();
  }
}

}  // namespace

Configuration parseConfiguration(const std::string& text, int symmetries) {
  const std::vector<Shell> shells = Reader(text).read();
  checkOrder(text, shells);
  int count = symmetries;
  for (const Shell& s : shells) count = std::max(count, symmetriesOfL(s.l).back() + 1);

  std::vector<int> closed(count, 0);
  std::vector<bool> open(count, false);
  std::vector<Shell> openShells;
  for (const Shell& s : shells) {
    const bool full = s.electrons == s.capacity();
    if (!full) openShells.push_back(s);
    for (const int a : symmetriesOfL(s.l)) {
      if (full) {
        ++closed[a];
      } else {
        open[a] = true;
      }
    }
  }

  // Several open shells: every combination of each shell's distributions over its own two spinors.
  std::vector<std::map<int, int>> combinations{{}};
  for (const Shell& s : openShells) {
    std::vector<bool> own(count, false);
    const std::vector<int> where = symmetriesOfL(s.l);
    for (const int a : where) own[a] = true;
    std::vector<std::map<int, int>> extended;
    for (const auto& combination : combinations) {
      for (const OpenOccupations& distribution : allDistributions(own, s.electrons)) {
        auto next = combination;
        for (std::size_t i = 0; i < where.size(); ++i) next[where[i]] = distribution[i];
        extended.push_back(std::move(next));
      }
    }
    combinations = std::move(extended);
  }
  std::vector<OpenOccupations> list;
  for (const auto& combination : combinations) {
    OpenOccupations row;
    for (const auto& [symmetry, electrons] : combination) row.push_back(electrons);
    list.push_back(row);
  }
  return averageConfigurations(closed, open, list, text);
}

}  // namespace prophet

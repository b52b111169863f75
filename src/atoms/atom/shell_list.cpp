#include "atoms/atom/shell_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

constexpr int kLargestN = 20;
constexpr int kLargestParsedL = 15;
constexpr const char* kSeparators = " \t\r\n,.";

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
    if (std::ranges::all_of(shells_, [](const Shell& s) { return s.electrons == 0; }))
      fail(1, "it has no electrons");
    return shells_;
  }

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& reason) const {
    throw ConfigurationError(text_, static_cast<int>(column), reason);
  }
  bool atEnd() const { return at_ >= text_.size(); }
  char peek() const { return atEnd() ? '\0' : text_[at_]; }
  bool atDigit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }
  bool atSeparator() const {
    return !atEnd() && std::string_view(kSeparators).find(peek()) != std::string_view::npos;
  }
  void skipBlanks() {
    while (atSeparator()) ++at_;
  }
  /// What stands at `from` up to the next blank, for messages.
  std::string word(std::size_t from) const {
    const auto end = text_.find_first_of(kSeparators, from);
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
    for (Shell shell : parseShells(groundConfiguration(*z))) {
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
    if (shell.n > kLargestN)
      fail(usize(shell.column),
           fmt::format("{} has n above {}, the largest for which basis sets and limits have been tested",
                       shell.name(), kLargestN));
    if (shell.n <= shell.l)
      fail(usize(shell.column), fmt::format("there is no shell {}; n of {} shells runs from {} to {}",
                                            shell.name(), letterOfL(shell.l), shell.l + 1, kLargestN));
    if (isJ()) {
      readJ(shell, found);
    } else {
      if (peek() == '^') ++at_;
      if (atEnd() || atSeparator()) {
        shell.electrons = 1;
      } else {
        readElectrons(shell);
      }
    }
    if (!atEnd() && !atSeparator())
      fail(at_ + 1, fmt::format("found '{}' after {}, expected a blank", word(at_),
                                text_.substr(shell.column - 1, at_ + 1 - shell.column)));
    return shell;
  }

  /// Whether "1/2" or the like comes next.
  bool isJ() const {
    const auto end = text_.find_first_not_of("0123456789", at_);
    return end != std::string::npos && end > at_ && text_[end] == '/';
  }

  /// Behind the ".5" that comes next; the point of "3d5.4s1" stands between shells.
  std::size_t endOfFraction() const {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_ + 1), text_.size());
    const bool ends =
        end == text_.size() || std::string_view(kSeparators).find(text_[end]) != std::string_view::npos;
    return peek() == '.' && end > at_ + 1 && ends ? end : at_;
  }

  void readElectrons(Shell& shell) {
    const std::size_t start = at_;
    shell.electrons = readNumber("the number of electrons in the shell, as in 2p3");
    if (const std::size_t end = endOfFraction(); end > at_)
      fail(start + 1, fmt::format("{} electrons in {}: fractional occupations are not available; expected a "
                                  "whole number",
                                  text_.substr(start, end - start), shell.name()));
    if (shell.electrons > shell.capacity())
      fail(start + 1, fmt::format("{} electrons in {}; expected 0 to {}", shell.electrons, shell.name(),
                                  shell.capacity()));
  }

  /// "1/2", one electron, or "1/2:2".
  void readJ(Shell& shell, const std::string& found) {
    const std::size_t start = at_;
    shell.twoJ = readNumber("a j such as 1/2");
    ++at_;
    if (peek() != '2' || std::abs(shell.twoJ - 2 * shell.l) != 1)
      fail(start + 1,
           fmt::format("'{}' is not a spinor; j of {} shells is {}", found, letterOfL(shell.l),
                       shell.l == 0 ? "1/2" : fmt::format("{}/2 or {}/2", 2 * shell.l - 1, 2 * shell.l + 1)));
    ++at_;
    shell.electrons = 1;
    if (peek() != ':') return;
    ++at_;
    readElectrons(shell);
  }

  void addShell(const Shell& shell) {
    for (const auto& other : shells_) {
      if (other.l != shell.l || other.n != shell.n || !(shell.twoJ == 0 || other.has(shell.twoJ))) continue;
      fail(usize(shell.column),
           fmt::format("the shell {} is given twice{}", shell.name(),
                       other.column == 0 ? " (it is part of the core); to open a shell of the core, write "
                                           "its shells one by one instead of the brackets"
                                         : ""));
    }
    shells_.push_back(shell);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Shell> shells_;
};

/// Shells that `core` has are taken away where all of them are there, full.
bool takeAway(const std::vector<Shell>& core, std::vector<Shell>& shells) {
  std::vector<Shell> left = shells;
  for (const Shell& inner : core) {
    const auto same = std::find_if(left.begin(), left.end(), [&](const Shell& s) {
      return s.n == inner.n && s.l == inner.l && s.electrons == inner.electrons;
    });
    if (same == left.end()) return false;
    left.erase(same);
  }
  shells = left;
  return true;
}

std::string textOf(const Shell& shell) {
  if (shell.twoJ == 0) return fmt::format("{}{}", shell.name(), shell.electrons);
  return shell.electrons == 1 ? shell.name() : fmt::format("{}:{}", shell.name(), shell.electrons);
}

/// A shell of both j, full, as its two spinors: the lower j in its place, the other one behind it.
std::vector<Shell>::iterator splitShell(std::vector<Shell>& shells, std::vector<Shell>::iterator shell,
                                        int twoJ) {
  Shell low = *shell, high = *shell;
  low.twoJ = 2 * shell->l - 1;
  high.twoJ = 2 * shell->l + 1;
  low.electrons = low.capacity();
  high.electrons = high.capacity();
  if (shell->l == 0) {
    *shell = high;
    return shell;
  }
  *shell = low;
  const auto second = shells.insert(shell + 1, high);
  return twoJ == low.twoJ ? second - 1 : second;
}

/// Inner shells of ions and atoms, as they are filled where outer ones are named.
const std::vector<Shell>& fillingOrder() {
  static const std::vector<Shell> order =
      Parser("1s 2s 2p 3s 3p 3d 4s 4p 4d 5s 5p 4f 5d 6s 6p 5f 6d 7s 7p").parse();
  return order;
}

/// The place of a shell in it; behind the last one where it is not in it.
std::vector<Shell>::const_iterator placeInOrder(const Shell& shell) {
  return std::ranges::find_if(fillingOrder(),
                              [&](const Shell& s) { return s.n == shell.n && s.l == shell.l; });
}

/// The entry that has the electrons of a shell or spinor; the end where it has none. Throws Error where they
/// are given by j and `wanted` is not.
std::vector<Shell>::iterator findShell(std::vector<Shell>& shells, const Shell& wanted,
                                       const std::string& configuration) {
  const auto place = std::ranges::find_if(shells, [&](const Shell& s) {
    return s.n == wanted.n && s.l == wanted.l && (wanted.twoJ == 0 || s.has(wanted.twoJ));
  });
  if (place != shells.end() && wanted.twoJ == 0 && place->twoJ > 0)
    throw Error(fmt::format("'{}' gives the electrons of {} by their j; expected {}{}/2 or {}{}/2",
                            configuration, wanted.name(), wanted.name(), 2 * wanted.l - 1, wanted.name(),
                            2 * wanted.l + 1));
  return place;
}

std::string withoutJ(const Shell& shell, const std::string& configuration) {
  return fmt::format(
      "{} of '{}' is not full, so that its electrons have no j: give them by j, as in "
      "6p1/2:2 6p3/2:1, or name the shell without j",
      shell.name(), configuration);
}

void takeElectron(std::vector<Shell>& shells, const std::string& shell, const std::string& configuration) {
  const Shell hole = shellNamed(shell);
  auto place = findShell(shells, hole, configuration);
  if (place == shells.end()) throw Error(fmt::format("'{}' has no electron in {}", configuration, shell));
  if (hole.twoJ > 0 && place->twoJ == 0) {
    if (!place->full()) throw Error(withoutJ(*place, configuration));
    place = splitShell(shells, place, hole.twoJ);
  }
  --place->electrons;
}

void putElectron(std::vector<Shell>& shells, const std::string& shell, const std::string& configuration) {
  const Shell added = shellNamed(shell);
  const auto place = findShell(shells, added, configuration);
  if (place == shells.end()) {
    shells.push_back(added);
  } else if (place->full()) {
    throw Error(fmt::format("{} of '{}' is full and takes no electron", place->name(), configuration));
  } else if (added.twoJ > 0 && place->twoJ == 0) {
    throw Error(withoutJ(*place, configuration));
  } else {
    ++place->electrons;
  }
}

}  // namespace

std::string Shell::name() const {
  return fmt::format("{}{}", n, letterOfL(l)) + (twoJ > 0 ? fmt::format("{}/2", twoJ) : "");
}

std::vector<Shell> parseShells(const std::string& text) {
  std::vector<Shell> shells = namedShells(text);
  std::erase_if(shells, [](const Shell& s) { return s.electrons == 0; });
  return shells;
}

std::vector<Shell> namedShells(const std::string& text) { return Parser(text).parse(); }

Shell shellNamed(const std::string& text) {
  const bool isJ = text.find('/') != std::string::npos;
  try {
    const std::vector<Shell> shells = parseShells(isJ ? text : text + "1");
    if (shells.size() == 1 && shells[0].electrons == 1 && shells[0].name() == text) return shells[0];
  } catch (const ConfigurationError&) {
  }
  throw Error(fmt::format("'{}' is not a shell; expected one such as 1s, 2p or 2p3/2", text));
}

bool isFilledBefore(const Shell& a, const Shell& b) { return placeInOrder(a) < placeInOrder(b); }

std::string withInnerShells(const std::string& configuration, int electrons) {
  const std::vector<Shell> named = namedShells(configuration);
  int missing = electrons;
  for (const Shell& s : named) missing -= s.electrons;
  const auto isNamed = [&](const Shell& shell) {
    return std::ranges::any_of(named, [&](const Shell& s) { return s.n == shell.n && s.l == shell.l; });
  };
  if (missing <= 0 || isNamed({1, 0})) return configuration;
  // Shells of smaller n than one that is named, or filled before it, as 4s before 3d, lie below.
  const auto isBelow = [&](const Shell& shell) {
    return std::ranges::any_of(named, [&](const Shell& s) {
      return shell.n < s.n || std::pair(shell.n + shell.l, shell.n) < std::pair(s.n + s.l, s.n);
    });
  };
  std::vector<Shell> inner, nearest;
  int least = missing;  // distance of `nearest` from the number
  for (const Shell& shell : fillingOrder()) {
    if (missing <= 0) break;
    if (isNamed(shell) || !isBelow(shell)) continue;
    inner.push_back(shell);
    inner.back().electrons = shell.capacity();
    missing -= shell.capacity();
    // An inner shell is not left empty for a number that is as near: neon's "2s2 2p6 3s" has its 1s.
    const bool isInner = std::ranges::all_of(named, [&](const Shell& s) { return shell.n < s.n; });
    if (std::abs(missing) > least || (std::abs(missing) == least && !isInner)) continue;
    least = std::abs(missing);
    nearest = inner;
  }
  return nearest.empty() ? configuration : configurationText(nearest) + " " + configuration;
}

std::string configurationText(std::vector<Shell> shells) {
  std::string text;
  for (const int core : {86, 54, 36, 18, 10, 2}) {
    if (!takeAway(parseShells(groundConfiguration(core)), shells)) continue;
    text = "[" + symbolOf(core) + "]";
    break;
  }
  for (const Shell& shell : shells) {
    if (shell.electrons > 0) text += (text.empty() ? "" : " ") + textOf(shell);
  }
  return text;
}

std::string withHole(const std::string& configuration, const std::string& shell) {
  std::vector<Shell> shells = parseShells(configuration);
  takeElectron(shells, shell, configuration);
  if (shells.size() == 1 && shells[0].electrons == 0)
    throw Error(fmt::format("without {} of '{}' there are no electrons", shell, configuration));
  return configurationText(std::move(shells));
}

std::string withPromotion(const std::string& configuration, const std::string& from,
                          const std::string& into) {
  if (from == into) throw Error(fmt::format("'{}->{}' moves no electron", from, into));
  std::vector<Shell> shells = parseShells(configuration);
  takeElectron(shells, from, configuration);
  putElectron(shells, into, configuration);
  return configurationText(std::move(shells));
}

}  // namespace prophet

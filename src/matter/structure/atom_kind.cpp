#include "matter/structure/atom_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "core/common/error.hpp"
#include "core/common/letters.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr int kMostTaken = 5;  // electrons that an atom takes up in formal charges (B5-)

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(
      fmt::format("'{}' is not an atom or ion: {}; write Fe, 26, Fe3+, Fe2.5+, O2-, or isotopes as D and 6Li",
                  text.substr(0, 40), why));
}

/// What the first characters of a text are, as far as `belongs` holds; they are taken off.
template <class Predicate>
std::string_view taken(std::string_view& text, Predicate belongs) {
  const auto end = std::find_if_not(text.begin(), text.end(), belongs);
  const std::string_view part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(part.size());
  return part;
}

int wholeNumber(std::string_view digits) {
  return digits.empty() || digits.size() > 3 ? 0 : static_cast<int>(*parseDouble(digits));
}

/// Of "3+", "+3", "+", "+++", "2.5+", "(3+)", "0+"; none for anything else.
std::optional<double> chargeOf(std::string_view text) {
  if (text.empty()) return 0;
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  const auto isSign = [](char c) { return c == '+' || c == '-'; };
  std::string_view before = taken(text, isSign);
  const std::string_view size = taken(text, [](char c) { return isDigit(c) || c == '.'; });
  const std::string_view behind = taken(text, isSign);
  const std::string_view signs = before.empty() ? behind : before;
  const bool one = signs.size() == 1 || (size.empty() && signs.size() > 1 &&
                                         signs.find_first_not_of(signs[0]) == std::string_view::npos);
  if (!text.empty() || !one || (!before.empty() && !behind.empty())) return std::nullopt;
  const auto value = size.empty() ? static_cast<double>(signs.size()) : parseDouble(size);
  if (!value) return std::nullopt;
  return signs[0] == '-' ? 0 - *value : *value;
}

}  // namespace

AtomKind atomKind(std::string_view text) {
  const std::string word = trimmed(text);
  std::string_view rest = word;
  const std::string_view number = taken(rest, isDigit);
  AtomKind kind;
  if (rest.empty() && !number.empty()) {
    kind.z = wholeNumber(number);
    if (kind.z < 1 || kind.z > kLastElement) refuse(word, "there is no such nuclear charge");
    return kind;
  }
  const std::string_view symbol = taken(rest, isLetter);
  kind.massNumber = wholeNumber(number);
  const auto element = elementOf(symbol);
  if (element) {
    kind.z = *element;
  } else if (symbol.size() == 1 && number.empty() && std::string_view("DTdt").find(symbol) != symbol.npos) {
    kind.z = 1;
    kind.massNumber = lowerCase(std::string(symbol)) == "d" ? 2 : 3;
  } else {
    refuse(word, symbol.empty() ? "it does not begin with an element"
                                : fmt::format("there is no element '{}'", symbol));
  }
  if (!number.empty() && (kind.massNumber < kind.z || kind.massNumber > 3 * kind.z + 2))
    refuse(word, fmt::format("there is no isotope of {} with the mass number {}", symbolOf(kind.z), number));
  if (!rest.empty() && (rest[0] == '[' || rest[0] == ' '))
    refuse(word, "atoms in space have no configuration of their own");
  const auto charge = chargeOf(rest);
  if (!charge) refuse(word, fmt::format("'{}' is not a charge", rest));
  kind.charge = *charge;
  if (kind.charge > kind.z) refuse(word, fmt::format("{} has only {} electrons", symbolOf(kind.z), kind.z));
  if (kind.charge < -kMostTaken || (kind.z <= 2 && kind.electrons() > 2))
    refuse(word, fmt::format("no ion of {} has {:g} electrons", symbolOf(kind.z), kind.electrons()));
  return kind;
}

std::string nameOf(const AtomKind& kind) {
  std::string name = symbolOf(kind.z);
  if (kind.z == 1 && (kind.massNumber == 2 || kind.massNumber == 3)) {
    name = kind.massNumber == 2 ? "D" : "T";
  } else if (kind.massNumber > 0) {
    name = std::to_string(kind.massNumber) + name;
  }
  if (kind.charge == 0) return name;
  const double size = std::abs(kind.charge);
  return fmt::format("{}{}{}", name, size == 1 ? "" : fmt::format("{}", size), kind.charge > 0 ? '+' : '-');
}

std::string kindName(std::string_view text) { return nameOf(atomKind(text)); }

}  // namespace prophet

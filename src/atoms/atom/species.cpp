#include "atoms/atom/species.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

#include "atoms/atom/atomic_masses.hpp"
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/element_names.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "core/common/error.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr std::size_t kLongest = 200;  // characters: for messages
constexpr const char* kBlanks = " \t\r\n";
constexpr const char* kDigits = "0123456789";

/// Says what to write in general, where `why` does not say it of this text.
[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  const bool isWhole = why.find(';') != std::string::npos;
  throw Error(fmt::format("'{}' is not an atom or ion: {}{}", text, why,
                          isWhole ? "" : "; write Fe, 26, Fe3+, O2- or 'Fe [Ar] 3d6'"));
}

/// Where a configuration begins: a core in brackets, or a shell ("3d").
std::size_t configurationIn(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') return i;
    if (!isDigit(text[i])) continue;
    const std::size_t end = text.find_first_not_of(kDigits, i);
    if (end != std::string::npos && isLetter(text[end])) return i;
    i = std::min(end, text.size()) - 1;
  }
  return text.size();
}

/// The charge that "3+", "+3" or "+" states; empty where it is none.
std::optional<int> chargeOf(const std::string& text) {
  const std::size_t sign = text.find_first_of("+-");
  if (sign == std::string::npos || (sign > 0 && sign + 1 < text.size())) return std::nullopt;
  const std::string digits = sign == 0 ? text.substr(1) : text.substr(0, sign);
  if (digits.size() > 3 || !std::ranges::all_of(digits, isDigit)) return std::nullopt;
  const int size = digits.empty() ? 1 : std::atoi(digits.c_str());
  return text[sign] == '-' ? -size : size;
}

/// What a text behind a symbol that is no charge may have been meant for.
std::string noCharge(const std::string& symbol, const std::string& text) {
  if (std::ranges::all_of(text, isDigit)) {
    const auto z = elementOf(symbol);
    const int number = text.size() < 4 ? std::stoi(text) : -1;
    if (number == 0) return fmt::format("'{}' has no sign; the neutral atom is {}", text, symbol);
    std::vector<std::string> meant;
    if (z && number > 0 && number < *z)
      meant.push_back(fmt::format("the ion of this charge is {}{}+", symbol, text));
    if (z && mayBeIsotope(*z, number))
      meant.push_back(fmt::format("an isotope is {} with mass={}", symbol, text));
    if (meant.empty()) return fmt::format("'{}' has no sign, and no isotope has this mass number", text);
    return fmt::format("'{}' has no sign; {}", text, fmt::join(meant, ", and "));
  }
  if (text.front() == ',' || text.front() == ';')
    return fmt::format("'{}' does not belong to an atom; several atoms are separate words",
                       text.substr(0, 1));
  const auto plus = std::ranges::count(text, '+'), minus = std::ranges::count(text, '-');
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), isDigit);
  if (digits.empty()) digits = std::to_string(std::max<std::ptrdiff_t>(plus + minus, 2));
  const bool isClear = text.find_first_not_of("0123456789+-^(){} ") == std::string::npos;
  if (!isClear || digits.size() > 3 || (plus > 0) == (minus > 0))
    return fmt::format("'{}' is not a charge", text);
  return fmt::format("'{}' is not a charge; write {}{}{}", text, symbol, digits, minus > 0 ? '-' : '+');
}

/// Shells apart from each other, as parseConfiguration reads them.
std::string spaced(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == '.' || c == ',' || c == ' ' || c == '\t';
    if (!blank) result += c;
    if ((blank || c == ']') && !result.empty() && result.back() != ' ') result += ' ';
  }
  return trimmed(result);
}

/// The charge of a nucleus or the element's symbol, with what stands behind it.
struct NamedElement {
  int z = 0;
  std::string rest;
};

NamedElement elementAt(const std::string& text, const std::string& word) {
  if (word.empty()) refuse(text, "it names no element");
  if (isDigit(word[0])) {
    const std::size_t end = std::min(word.find_first_not_of(kDigits), word.size());
    const std::string number = word.substr(0, end), rest = trimmed(word.substr(end), kBlanks);
    if (!rest.empty() && isLetter(rest[0]))
      refuse(text, fmt::format("it begins with a number; the symbol comes first, and an isotope is {} with "
                               "mass={}",
                               rest, number));
    if (!rest.empty()) refuse(text, "a nuclear charge stands alone; write ions with symbols");
    const int z = number.size() > 3 ? 0 : std::atoi(number.c_str());
    if (z < 1 || z > kLastElement)
      refuse(text, fmt::format("there is no element {}, nuclear charges of elements are 1 to {}", number,
                               kLastElement));
    return {z, ""};
  }
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(word, isLetter) - word.begin());
  const std::string symbol = word.substr(0, end);
  if (const auto z = elementOf(symbol)) return {*z, trimmed(word.substr(end), kBlanks)};
  if (symbol == "D" || symbol == "T")
    refuse(text, fmt::format("{0} is hydrogen; write H with mass={1}", symbol, symbol == "D" ? 2 : 3));
  if (symbol.empty()) refuse(text, "it does not begin with the symbol of an element");
  if (const int meant = elementMeantBy(symbol))
    refuse(text, fmt::format("the symbol of {} is {}; write {}", nameOfElement(meant), symbolOf(meant),
                             symbolOf(meant) + word.substr(end)));
  refuse(text, fmt::format("there is no element '{}'", symbol));
}

}  // namespace

std::string Species::remark() const {
  return chargeWritten || configuration.empty() ? "" : chargeRemark(z, charge, configuration);
}

namespace {

/// `word`: what names the species; `text`: what was written, for messages.
Species speciesIn(const std::string& text, const std::string& word, bool bare) {
  if (text.size() > kLongest) refuse(text.substr(0, 20) + "...", "it is too long");
  const auto [z, rest] = elementAt(text, trimmed(word, kBlanks));
  const std::size_t shells = configurationIn(rest);
  const std::string charge = trimmed(rest.substr(0, shells), kBlanks);
  Species species{symbolOf(z) + charge, z, 0, spaced(rest.substr(shells)), !charge.empty()};
  if (!charge.empty()) {
    const auto ion = chargeOf(charge);
    if (!ion) refuse(text, noCharge(symbolOf(z), charge));
    species.charge = *ion;
  }
  const int electrons = z - species.charge;
  if (electrons < 1 && !(bare && electrons == 0 && species.configuration.empty()))
    refuse(text, fmt::format("it has no electrons; {}",
                             z > 1 ? "the last one with an electron is " + ionName(z, z - 1) : "write H"));
  if (species.configuration.empty()) return species;
  species.name = trimmed(word, kBlanks);
  try {
    const auto written = charge.empty() ? std::nullopt : std::optional<int>(species.charge);
    const IonConfiguration ion = ionConfiguration(z, written, species.configuration);
    species.configuration = ion.text;
    species.charge = static_cast<int>(std::lround(ion.charge));
  } catch (const ConfigurationError& e) {
    refuse(text, fmt::format("in '{}', {}", species.configuration, e.reason));
  } catch (const Error& e) {
    throw Error(fmt::format("'{}': {}", text, e.what()));
  }
  return species;
}

}  // namespace

Species parseSpecies(const std::string& text, bool bare) { return speciesIn(text, text, bare); }

Species parseIsotope(const std::string& text) {
  const std::string word = trimmed(text, kBlanks);
  constexpr std::size_t kMostDigits = 3;
  const std::size_t digits = word.find_first_not_of(kDigits);
  if (digits == 0 || digits == std::string::npos || digits > kMostDigits || !isLetter(word[digits]))
    return parseSpecies(text);
  Species species = speciesIn(text, word.substr(digits), false);
  species.massNumber = std::stoi(word.substr(0, digits));
  if (!mayBeIsotope(species.z, species.massNumber))
    refuse(text, fmt::format("there is no isotope of {} with the mass number {}", symbolOf(species.z),
                             species.massNumber));
  species.name = word.substr(0, digits) + species.name;
  return species;
}

std::string ionName(int z, int charge) {
  if (charge == 0) return symbolOf(z);
  const int size = std::abs(charge);
  return fmt::format("{}{}{}", symbolOf(z), size > 1 ? std::to_string(size) : "", charge > 0 ? '+' : '-');
}

namespace {

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, " | "));
}

/// What `change` makes of each configuration.
template <class Change>
std::string eachChanged(const std::string& configurations, const Change& change) {
  std::vector<std::string> parts = split(configurations, '|');
  for (std::string& part : parts) part = change(trimmed(part, kBlanks));
  return joined(parts);
}

int electronsOf(const std::string& configuration) {
  int sum = 0;
  for (const Shell& s : parseShells(configuration)) sum += s.electrons;
  return sum;
}

/// "Fe2+"; of a nuclear charge that is no element's "the charge 2".
std::string nameOf(double nuclearCharge, double charge) {
  const auto z = elementOfCharge(nuclearCharge);
  return z ? ionName(*z, static_cast<int>(std::lround(charge))) : fmt::format("the charge {:g}", charge);
}

}  // namespace

IonConfiguration ionConfiguration(double nuclearCharge, std::optional<int> charge,
                                  const std::string& configurations) {
  const auto z = elementOfCharge(nuclearCharge);
  IonConfiguration ion;
  std::vector<std::string> parts;
  std::size_t column = 0;  // where a configuration begins in the text
  for (const std::string& given : split(configurations, '|')) {
    std::string part = trimmed(given, kBlanks);
    try {
      if (z) part = withInnerShells(part, *z - charge.value_or(0));
      const double left = nuclearCharge - electronsOf(part);
      if (parts.empty()) ion.charge = left;
      if (charge && std::abs(left - *charge) > 1e-9)
        throw Error(fmt::format(
            "'{}' has {} electrons, which is {}, and {} is written; omit the charge, or name the "
            "electrons that belong to it",
            part, electronsOf(part), nameOf(nuclearCharge, left), nameOf(nuclearCharge, *charge)));
    } catch (const ConfigurationError& error) {
      const auto blanks = std::min(given.find_first_not_of(kBlanks), given.size());
      throw ConfigurationError(configurations, error.column + static_cast<int>(column + blanks),
                               error.reason);
    }
    parts.push_back(std::move(part));
    column += given.size() + 1;
  }
  ion.text = joined(parts);
  if (z && !charge) ion.remark = chargeRemark(*z, static_cast<int>(std::lround(ion.charge)), parts.front());
  return ion;
}

std::string chargeRemark(int z, int charge, const std::string& configuration) {
  if (charge == 0) return "";
  const std::string name = ionName(z, charge);
  return fmt::format("{} with the configuration {} is {}; write {}, or charge={}, if that is meant",
                     symbolOf(z), configuration, name, name, charge);
}

std::string emptyInnerShells(const std::string& configurations) {
  constexpr int kExcited = 2;  // electrons that may be excited together, as in 2s2 of helium
  for (const std::string& part : split(configurations, '|')) {
    std::map<int, int> electrons;  // by n
    int outside = 0;
    for (const Shell& s : parseShells(trimmed(part, kBlanks))) {
      electrons[s.n] += s.electrons;
      outside += s.electrons;
    }
    for (int n = 1; !electrons.empty() && n < electrons.rbegin()->first; ++n) {
      outside -= electrons[n];
      if (electrons[n] == 0 && outside > kExcited)
        return fmt::format(
            "in '{}' {} is empty below {} electrons, as in an ion from whose inner shells electrons are "
            "missing; if "
            "it is meant to be full, write its electrons and the charge that then remains",
            trimmed(part, kBlanks), n == 1 ? "1s" : fmt::format("every shell of n = {}", n), outside);
    }
  }
  return "";
}

std::string withHoles(const std::string& configurations, const std::string& holes) {
  return eachChanged(configurations, [&](std::string configuration) {
    for (const std::string& shell : listedWords(holes)) configuration = withHole(configuration, shell);
    return configuration;
  });
}

std::string withPromotions(const std::string& configurations, const std::string& promotions) {
  std::string spaced = promotions;  // "2p -> 3d" is "2p->3d"
  for (std::size_t arrow = 0; (arrow = spaced.find("->", arrow)) != std::string::npos; arrow += 4)
    spaced.replace(arrow, 2, " -> ");
  std::ranges::replace(spaced, ';', ',');
  const std::vector<std::string> words = listedWords(spaced);
  for (std::size_t i = 0; i < words.size(); ++i)
    if ((words[i] == "->") != (i % 3 == 1) || words.size() % 3 != 0)
      throw Error(fmt::format("'{}' moves no electron; expected two shells such as 2p->3d", promotions));
  return eachChanged(configurations, [&](std::string configuration) {
    for (std::size_t i = 0; i < words.size(); i += 3)
      configuration = withPromotion(configuration, words[i], words[i + 2]);
    return configuration;
  });
}

}  // namespace prophet

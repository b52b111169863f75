#include "atoms/atom/species.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(
      fmt::format("'{}' is not an atom or ion: {}; write Fe, 26, Fe3+, O2- or 'Fe [Ar] 3d6'", text, why));
}

/// Of "3+", "+3", "+".
int chargeOf(const std::string& text) {
  const bool negative = text.find('-') != std::string::npos;
  std::string digits = text;
  digits.erase(std::remove_if(digits.begin(), digits.end(), [](char c) { return c == '+' || c == '-'; }),
               digits.end());
  const int size = digits.empty() ? 1 : std::atoi(digits.c_str());
  return negative ? -size : size;
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

int electronsOf(const std::string& text, const std::string& configuration) {
  try {
    return static_cast<int>(std::lround(parseConfiguration(configuration).electrons()));
  } catch (const ConfigurationError& e) {
    refuse(text, fmt::format("in '{}', {}", configuration, e.reason));
  }
}

}  // namespace

Species parseSpecies(const std::string& text) {
  // Element; charge, which a shell must not be taken for; configuration.
  static const std::regex form(
      R"(\s*([A-Za-z]{1,2}|[0-9]{1,3})\s*([0-9]{1,3}[+-]|[+-][0-9]{0,3})?\s*((?:\[|[0-9]+[a-z])[\s\S]*)?)");
  constexpr std::size_t kLongest = 200;  // characters: regular expressions recurse
  std::smatch parts;
  if (text.size() > kLongest) refuse(text.substr(0, 20) + "...", "it is too long");
  if (!std::regex_match(text, parts, form)) refuse(text, "it does not begin with an element");
  const std::string word = parts[1], charge = parts[2], configuration = spaced(parts[3]);
  const int number = std::atoi(word.c_str());
  const int z = number > 0 ? number : elementOf(word).value_or(0);
  if (z < 1 || z > kLastElement) refuse(text, fmt::format("there is no element '{}'", word));
  Species species{symbolOf(z) + charge, z, charge.empty() ? 0 : chargeOf(charge), configuration};
  if (number > 0 && !(charge + configuration).empty())
    refuse(text, "a nuclear charge stands alone; write ions with symbols");
  if (configuration.empty()) {
    if (z - species.charge < 1) refuse(text, "it has no electrons");
    return species;
  }
  species.name = trimmed(text);
  const int left = z - electronsOf(text, configuration);
  if (!charge.empty() && left != species.charge)
    refuse(text, fmt::format("its configuration leaves a charge of {:+d}", left));
  species.charge = left;
  return species;
}

std::string ionName(int z, int charge) {
  if (charge == 0) return symbolOf(z);
  const int size = std::abs(charge);
  return fmt::format("{}{}{}", symbolOf(z), size > 1 ? std::to_string(size) : "", charge > 0 ? '+' : '-');
}

}  // namespace prophet

#include "atoms/atom/ion_configuration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr std::string_view kBlanks = " \t\r\n", kBetweenShells = " \t\r\n,", kBetweenMoves = " \t\r\n,;";

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

std::string withHoles(const std::string& configurations, const std::string& holes) {
  return eachChanged(configurations, [&](std::string configuration) {
    for (const std::string& shell : splitWords(holes, kBetweenShells))
      configuration = withHole(configuration, shell);
    return configuration;
  });
}

std::string withPromotions(const std::string& configurations, const std::string& promotions) {
  std::string spaced = promotions;  // "2p -> 3d" is "2p->3d"
  for (std::size_t arrow = 0; (arrow = spaced.find("->", arrow)) != std::string::npos; arrow += 4)
    spaced.replace(arrow, 2, " -> ");
  const std::vector<std::string> words = splitWords(spaced, kBetweenMoves);
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

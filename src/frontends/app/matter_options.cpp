#include "frontends/app/matter_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/common/number.hpp"
#include "core/common/text.hpp"
#include "frontends/app/usage_error.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {

namespace po = boost::program_options;

double numberOption(const po::variables_map& values, const std::string& option, double low, bool orEqual,
                    double high) {
  const std::string text = values[option].as<std::string>();
  const auto value = parseDouble(trimmed(text));
  if (!value || !std::isfinite(*value) || *value < low || (!orEqual && *value == low) || *value > high)
    throw UsageError(fmt::format("--{} takes a number {} {:g}{}, not '{}'", option,
                                 orEqual ? "from" : "above", low,
                                 std::isfinite(high) ? fmt::format(" up to {:g}", high) : "", text));
  return *value;
}

std::map<std::string, double> parseKindNumbers(const std::string& text, const std::string& option) {
  std::map<std::string, double> table;
  for (const std::string& part : split(text, ',')) {
    const auto sides = split(part, '=');
    const auto value = sides.size() == 2 ? parseDouble(trimmed(sides[1])) : std::nullopt;
    if (!value || !std::isfinite(*value))
      throw UsageError(option + " takes ATOM=NUMBER,..., such as Co=0.3,O=0.5, not '" + text + "'");
    try {
      if (!table.emplace(kindName(sides[0]), *value).second)
        throw Error("two numbers are given for " + kindName(sides[0]));
    } catch (const Error& e) {
      throw UsageError(option + ": " + e.what());
    }
  }
  return table;
}

}  // namespace prophet

#include "frontends/app/parse_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/common/text.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/catalogue/operation.hpp"

namespace prophet {

namespace po = boost::program_options;

namespace {

/// "; did you mean '--quiet'?"; empty where no option is near.
std::string nearestOption(const std::string& given, const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  const std::string nearest = nearestName(given, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

/// The first of the commands that have an option, "'energy', 'levels' and 5 others"; empty: none has it.
std::string commandsWith(const std::string& option) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> owners;
  for (const Operation& o : operations())
    if (std::ranges::any_of(o.allSettings(), [&](const Setting& s) {
          const std::vector<std::string> names = s.names();
          return !s.positional && std::ranges::any_of(names, [&](const std::string& name) {
            return "--" + optionOf(name) == option;
          });
        }))
      owners.push_back("'" + o.words() + "'");
  if (owners.size() <= kMostNamed + 1) return fmt::format("{}", fmt::join(owners, ", "));
  const std::size_t others = owners.size() - kMostNamed;
  owners.resize(kMostNamed);
  return fmt::format("{} and {} others", fmt::join(owners, ", "), others);
}

/// Refuses an option that the command has not, but others have. `program`: "cudaprophet" alone takes an input
/// file.
void refuseOfOthers(const std::string& option, const std::string& program) {
  const std::string owners = commandsWith(option);
  if (owners.empty()) return;
  const std::size_t command = program.find(' ');
  if (command == std::string::npos)
    throw UsageError(
        fmt::format("{0} does not stand beside an input file, which says it itself; of an atom it "
                    "stands behind the atom, 'cudaprophet Rn {0} ...'",
                    option));
  throw UsageError(fmt::format("{} is no option of '{}', but of {}; '{} --help' lists the options", option,
                               program.substr(command + 1), owners, program));
}

/// An option without its value would have the next option for one; the library sees to short ones.
void refuseOptionsAsValues(const po::parsed_options& parsed) {
  for (const po::option& option : parsed.options) {
    const std::vector<std::string>& tokens = option.original_tokens;
    for (std::size_t i = 1; i < tokens.size(); ++i)
      if (tokens[i].starts_with("--"))
        throw UsageError(
            fmt::format("{} lacks its value, as '{}' begins like an option", tokens[0], tokens[i]));
  }
}

/// An abbreviation that is another command's option is taken for nothing else: --excite of `lines` is not
/// --excited.
void refuseAbbreviations(const po::parsed_options& parsed, const std::string& program) {
  for (const po::option& option : parsed.options) {
    if (option.original_tokens.empty()) continue;
    const std::string& token = option.original_tokens.front();
    const std::string written = token.substr(0, token.find('='));
    if (written.starts_with("--") && written != "--" + option.string_key) refuseOfOthers(written, program);
  }
}

}  // namespace

po::variables_map parseOptions(const std::vector<std::string>& arguments,
                               const po::options_description& visible, const std::string& positional,
                               const std::string& program) {
  po::options_description all;
  all.add(visible);
  po::positional_options_description words;
  if (!positional.empty()) {
    all.add_options()(positional.c_str(), po::value<std::vector<std::string>>());
    words.add(positional.c_str(), -1);
  }
  po::variables_map values;
  try {
    const po::parsed_options parsed = po::command_line_parser(arguments).options(all).positional(words).run();
    refuseAbbreviations(parsed, program);
    refuseOptionsAsValues(parsed);
    po::store(parsed, values);
    po::notify(values);
  } catch (const po::unknown_option& e) {
    refuseOfOthers(e.get_option_name(), program);
    throw UsageError(fmt::format("there is no option '{}'{}; '{} --help' lists the options",
                                 e.get_option_name(), nearestOption(e.get_option_name(), all), program));
  } catch (const po::ambiguous_option& e) {
    refuseOfOthers(e.get_option_name(), program);
    throw UsageError(fmt::format("'{}' is the beginning of several options: --{}; write one of them whole",
                                 e.get_option_name(), fmt::join(e.alternatives(), ", --")));
  } catch (const po::invalid_option_value& e) {  // all others are read as texts
    throw UsageError(std::string(e.what()) + "; expected a whole number");
  } catch (const po::error& e) {
    throw UsageError(std::string(e.what()) + "; '" + program + " --help' lists the options");
  }
  return values;
}

std::string optionOf(const std::string& setting) {
  std::string name = setting;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string fileOption(const po::variables_map& values, const std::string& option) {
  if (!values.count(option)) return "";
  const std::string name = values[option].as<std::string>();
  if (name.empty()) throw UsageError("--" + option + " takes the name of a file");
  return name;
}

}  // namespace prophet

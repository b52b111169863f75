#include "frontends/app/parse_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/common/text.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/result_file/result_file.hpp"

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
    po::store(po::command_line_parser(arguments).options(all).positional(words).run(), values);
    po::notify(values);
  } catch (const po::unknown_option& e) {
    throw UsageError(fmt::format("there is no option '{}'{}; '{} --help' lists the options",
                                 e.get_option_name(), nearestOption(e.get_option_name(), all), program));
  } catch (const po::ambiguous_option& e) {
    throw UsageError(fmt::format("'{}' is the beginning of several options: --{}; write one of them whole",
                                 e.get_option_name(), fmt::join(e.alternatives(), ", --")));
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

void requireResultFiles(const std::string& file, const std::string& option) {
  if (file.empty()) throw UsageError(option + " takes the name of a file");
  if (!hasResultFiles()) throw UsageError(option + ": " + hdf5::kNotBuilt);
}

}  // namespace prophet

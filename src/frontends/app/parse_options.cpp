#include "frontends/app/parse_options.hpp"

#include <algorithm>

#include "core/hdf5/hdf5_group.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet {

namespace po = boost::program_options;

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

#pragma once
#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace prophet {

/// Reads a command line with Boost.Program_options. Words that belong to no option are collected as a
/// std::vector<std::string> under the name `positional` (empty: they are errors). `program`: what the hint of
/// an error names, "cudaprophet batch". Throws UsageError.
boost::program_options::variables_map parseOptions(const std::vector<std::string>& arguments,
                                                   const boost::program_options::options_description& visible,
                                                   const std::string& positional, const std::string& program);

/// A setting or keyword as the shell has it: "bin-width" of bin_width.
std::string optionOf(const std::string& setting);

/// The file that an option names; empty where it is not given. Throws UsageError for an empty name.
std::string fileOption(const boost::program_options::variables_map& values, const std::string& option);

}  // namespace prophet

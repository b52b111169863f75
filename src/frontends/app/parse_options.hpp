#pragma once
#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "atoms/atom/nucleus.hpp"

namespace prophet {

/// Reads a command line with Boost.Program_options. Words that belong to no option are collected as a
/// std::vector<std::string> under the name `positional` (empty: they are errors). `program`: what the hint of
/// an error names, "cudaprophet batch". Throws UsageError.
boost::program_options::variables_map parseOptions(const std::vector<std::string>& arguments,
                                                   const boost::program_options::options_description& visible,
                                                   const std::string& positional, const std::string& program);

/// A setting or keyword as the shell has it: "bin-width" of bin_width.
std::string optionOf(const std::string& setting);

/// Charges of an element list such as "1-10,18,Rn". `option` names it in errors. Throws UsageError.
std::vector<int> parseElementOption(const std::string& text, const std::string& option);

/// The file that an option names; empty where it is not given. Throws UsageError for an empty name.
std::string fileOption(const boost::program_options::variables_map& values, const std::string& option);

/// What an option needs that names a result file. Throws UsageError if the name is empty or the program was
/// built without HDF5.
void requireResultFiles(const std::string& file, const std::string& option);

/// The nuclear model of --nucleus, in any case. Throws UsageError.
NuclearModel parseNuclearModel(const std::string& name);

}  // namespace prophet

#pragma once
#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "frontends/app/command_files.hpp"
#include "operations/catalogue/operation_input.hpp"

namespace prophet {

/// `cudaprophet NAME ...` of an operation: options from the table of its settings, execution and outputs as
/// for every operation. Returns the exit status. Throws UsageError for a wrong command line, Error if the
/// work cannot be done.
int operationCommand(const Operation& operation, const std::vector<std::string>& arguments);

/// `cudaprophet GROUP ACTION ...`: the operations whose command begins with GROUP. Throws as above.
int operationGroup(const std::string& group, const std::string& summary,
                   const std::vector<std::string>& arguments);

/// Options of `cudaprophet FILE.inp`: what stands beside an input file.
boost::program_options::options_description inputOptions();

/// Runs what the input file of that name asks for. `files`: those that are read already, or kept. Throws as
/// above.
int runInput(const OperationInput& input, const std::string& name, const CommandFiles& files,
             const boost::program_options::variables_map& values);

/// A message with the settings as the shell has them: "--mass 2" for "mass=2".
std::string inShell(const Operation& operation, std::string text);

}  // namespace prophet

#pragma once
#include <string>
#include <vector>

#include "frontends/app/command_line.hpp"
#include "operations/catalogue/operation_input.hpp"

namespace prophet {

/// `cudaprophet NAME ...` of an operation: options from the table of its settings, execution and outputs as
/// for every operation. Returns the exit status. Throws UsageError for a wrong command line, Error if the
/// work cannot be done.
int operationCommand(const Operation& operation, const std::vector<std::string>& arguments);

/// `cudaprophet GROUP ACTION ...`: the operations whose command begins with GROUP. Throws as above.
int operationGroup(const std::string& group, const std::string& summary,
                   const std::vector<std::string>& arguments);

/// The same of an input file: outputs and execution as the command line `cudaprophet FILE.inp` has them.
int runOperationInput(const OperationInput& input, const CommandLine& line);

/// What --help prints.
std::string operationHelp(const Operation& operation);

}  // namespace prophet

#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet [options] FILE.inp`: what the file asks for, or help, the version, or an explanation. Returns
/// the exit status. Throws InputErrors, UsageError for what is wrong, Error if it cannot be done.
int inputCommand(const std::vector<std::string>& arguments);

}  // namespace prophet

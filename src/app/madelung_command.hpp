#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet madelung FILE ...`: energy, potentials, fields, forces and pressure of the charges of a
/// crystal or a periodic box. Status 0; 1 where the sum cannot be done; UsageError (2) for wrong arguments.
int madelungCommand(const std::vector<std::string>& arguments);

}  // namespace prophet

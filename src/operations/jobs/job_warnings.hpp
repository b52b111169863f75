#pragma once
#include <vector>

#include "atoms/calculation/result.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// What the user of a result should know of how its job was completed, for the result's warnings:
/// - charge_from_configuration: no charge is written, and the configuration is not that of the neutral atom;
/// - point_nucleus_by_default: functions are given in the input and no nuclear model is;
/// - basis_made_for_something_else: the basis set's file says that it is for another nuclear model;
/// - unusual_nucleus: the program chose the basis for a nucleus of a size that no element has.
/// Files that cannot be read are no warning here: resolve has read them.
std::vector<Warning> jobWarnings(const ResolvedJob& job);

/// Puts them before the result's own.
void addJobWarnings(const ResolvedJob& job, Result& result);

}  // namespace prophet

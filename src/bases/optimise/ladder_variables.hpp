#pragma once
#include <string>
#include <vector>

#include "atoms/basis/well_tempered.hpp"

namespace prophet {

/// Parameters of ladders as the optimiser's variables: ln alpha, ln(beta - 1), ln delta, ln gamma, group
/// after group. Any real numbers give parameters in range, and equal steps are comparable changes. delta and
/// gamma below 1e-6 count as 1e-6 (their logarithm would not be finite).
std::vector<double> toVariables(const std::vector<WellTemperedParameters>& groups);

/// Inverse of toVariables. Variables so extreme that a parameter would overflow are cut at +-300.
std::vector<WellTemperedParameters> fromVariables(const std::vector<double>& x);

/// " alpha beta delta gamma" of every group, shortest exact digits: as state files have them.
std::string parametersText(const std::vector<WellTemperedParameters>& groups);

}  // namespace prophet

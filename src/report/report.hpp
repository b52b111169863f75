#pragma once
#include <string>

#include "calculation/calculation.hpp"

namespace prophet {

/// Parts of the text report, in the order in which a run prints them. All energies in hartree, lengths in
/// bohr.
std::string reportHeader(const std::string& version, const Calculation& calculation);
std::string reportJob(const Calculation& calculation);
std::string reportBasis(const Calculation& calculation, bool everyExponent);
std::string reportIterationHead();
std::string reportIteration(const ScfIteration& step);
std::string reportResult(const Calculation& calculation, const EnergyResult& result);
std::string reportTimings(const EnergyResult& result);
std::string reportGridCheck(const GridCheck& check);

/// The whole result as one JSON document. `indent` -1: on one line. Keys: docs/json.md.
std::string jsonResult(const std::string& version, const Calculation& calculation, const EnergyResult& result,
                       int indent = 2);

}  // namespace prophet

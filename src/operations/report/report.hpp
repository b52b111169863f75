#pragma once
#include <string>

#include "atoms/calculation/compute.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Parts of the text report, in the order in which a run prints them. All energies in hartree, lengths in
/// bohr.
std::string reportHeader(const std::string& version, const ResolvedJob& job);
std::string reportJob(const ResolvedJob& job);
std::string reportBasis(const BasisSet& basis, bool everyExponent);
std::string reportIterationHead();
std::string reportIteration(const ScfIteration& step);
/// Of a limit too.
std::string reportResult(const Result& result);
std::string reportTimings(const Result& result);
std::string reportGridCheck(const GridCheck& check);

}  // namespace prophet

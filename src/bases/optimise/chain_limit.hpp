#pragma once
#include "bases/optimise/chain.hpp"
#include "bases/optimise/record_log.hpp"

namespace prophet {

/// The numerical energy that a chain compares with, hartree: given, or recorded by an earlier run, or
/// computed and recorded now. Throws Error if the computation does not converge.
double chainLimit(const ChainTask& task, RecordLog& record);

/// Throws Error for a limit (hartree) that is so far from the energy of a large basis that it belongs to
/// another atom or is no energy at all: a search for sets near it would have no end.
void requireSensibleLimit(double limit, double energy);

/// "33s+ 30p- 27p+".
std::string sizesText(const std::vector<int>& functions);

}  // namespace prophet

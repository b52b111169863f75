#pragma once
#include <string>

#include "operations/report/compared_result.hpp"

namespace prophet {

/// The electrons that two states differ in: " (3s)", " (2p -> 3p)"; one of the two spinors of a shell where
/// the other one keeps its electrons, " (2p3/2)", " (6p1/2 -> 6p3/2)". Empty where it is not known.
std::string movedElectrons(const ComparedResult& from, const ComparedResult& to);

}  // namespace prophet

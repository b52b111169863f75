#pragma once
#include <nanobind/nanobind.h>

#include "operations/jobs/resolve.hpp"

namespace nb = nanobind;

/// The parts of the module, one for each topic.
namespace prophet::python {

/// groups ((alpha, beta, delta, gamma), ...), functions, start, group, shared.
nb::dict ladderDict(const WellTemperedSpec& spec);

void bindJobs(nb::module_& m);
void bindResults(nb::module_& m);
/// Radial functions, density, expectation values and form factors.
void bindFunctions(nb::class_<JobResult>& result);
void bindBasisSets(nb::module_& m);
/// Sums over charges whose places change.
void bindCharges(nb::module_& m);
/// Every operation of the catalogue.
void bindOperations(nb::module_& m);

}  // namespace prophet::python

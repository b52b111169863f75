#pragma once
#include <algorithm>
#include <string>

#include "atoms/calculation/compute.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet::test {

/// The calculation of an input file with this text below its title.
inline Calculation calculationFrom(const std::string& groups) {
  return resolve(parseJob("test\n" + groups + "\n", "test.inp")).calculation;
}

/// Whether a result carries a warning of this kind.
inline bool warns(const Result& result, const std::string& id) {
  return std::any_of(result.warnings.begin(), result.warnings.end(),
                     [&](const Warning& warning) { return warning.id == id; });
}

}  // namespace prophet::test

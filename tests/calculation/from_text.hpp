#pragma once
#include <string>

#include "calculation/compute.hpp"
#include "input/parse_job.hpp"
#include "jobs/resolve.hpp"

namespace prophet::test {

/// The calculation of an input file with this text below its title.
inline Calculation calculationFrom(const std::string& groups) {
  return resolve(parseJob("test\n" + groups + "\n", "test.inp")).calculation;
}

}  // namespace prophet::test

#pragma once
#include <fstream>
#include <sstream>
#include <string>

#include "atoms/calculation/compute.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/result_file/result_file.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet::test {

/// A file of its own for one test, removed at the end.
class ScratchFile {
 public:
  std::string bytes() const {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }

 private:
  Folder folder_;

 public:
  const std::string path = folder_ / "result.h5";
};

/// The record of an input file with this text below its title, its spinors kept.
inline ResultRecord recordOf(const std::string& groups, const std::string& id = "test.inp") {
  const std::string input = "Test \xC3\xA4\n" + groups + "\n";
  Calculation calculation = resolve(parseJob(input, "test.inp")).calculation;
  if (!calculation.isLimit()) {
    calculation.inBasis().keepSpinors = true;
    calculation.inBasis().estimateError = true;
  }
  Result result = compute(calculation);
  return {id, "Test \xC3\xA4", input, "0.1.0", "2026-11-21T18:00:00Z", calculation, result};
}

}  // namespace prophet::test

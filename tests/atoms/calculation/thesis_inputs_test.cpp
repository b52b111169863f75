#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "atoms/calculation/compute.hpp"
#include "core/common/files.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

/// The last column of the table of docs/engineering/performance-gpu.md whose first is the number of
/// functions.
double energyInTheDocs(int functions) {
  std::istringstream lines(readFile(PROPHET_SOURCE_DIR "/docs/engineering/performance-gpu.md"));
  const std::string begin = "| " + std::to_string(functions) + " | ";
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(begin, 0) != 0) continue;
    const std::size_t end = line.rfind(" |"), last = line.rfind("| ", end - 1);
    return std::stod(line.substr(last + 2, end - last - 2));
  }
  return NAN;
}

/// The benchmark series has the nucleus of its tables.
TEST(ThesisInputs, GiveTheEnergiesOfTheDocs) {
  for (const int functions : {10, 15, 20, 25, 30, 35, 40, 45}) {
    const std::string file = PROPHET_SOURCE_DIR "/inputs/thesis/rn-nbs" + std::to_string(functions) + ".inp";
    Calculation calculation = resolve(parseJob(readFile(file), file)).calculation;
    calculation.inBasis().estimateError = false;
    const Result result = compute(calculation);
    ASSERT_TRUE(result.ok()) << functions;
    EXPECT_NEAR(result.energy.total, energyInTheDocs(functions), 2e-8) << functions;
  }
}

}  // namespace
}  // namespace prophet

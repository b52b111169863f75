#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "core/common/csv.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

/// Field of a row of the CSV by the name of its column.
std::string fieldOf(const std::vector<std::string>& head, const std::vector<std::string>& row,
                    const std::string& name) {
  const auto at = std::find(head.begin(), head.end(), name);
  EXPECT_NE(at, head.end()) << name;
  return row.at(static_cast<std::size_t>(at - head.begin()));
}

/// All 80 sets of Table 2.1 as published, against the limits of docs/data/wtbs-2.1-nonrel.csv, which
/// `cudaprophet validate` writes: the thesis's 5e-9 to the four digits of its parameters.
TEST(PublishedSets, AllLieWithinTheirThreshold) {
  const std::vector<CsvRow> rows = readCsv(PROPHET_SOURCE_DIR "/docs/data/wtbs-2.1-nonrel.csv");
  ASSERT_EQ(rows.size(), 81u);
  const std::vector<std::string>& head = rows.front().fields;
  std::vector<double> errors;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto field = [&](const std::string& name) { return fieldOf(head, rows[i].fields, name); };
    const LibraryEntry entry = *readLibraryEntry(std::stoi(field("Z")), "wtbs-2.1");
    AtomProblem problem;
    problem.nucleus = makeNucleus({entry.nuclearModel, static_cast<double>(entry.z), {}, {}, {}, {}, {}});
    problem.configuration = parseConfiguration(entry.configuration);
    problem.hamiltonian.oneElectron = OneElectronOperator::Nonrelativistic;
    const Result result = compute(calculationIn(makeBasis(entry), problem));
    ASSERT_TRUE(result.ok()) << entry.z;
    const double limit = std::stod(field("limit_hartree"));
    errors.push_back((result.energy.total - limit) / std::abs(limit));
    EXPECT_NEAR(errors.back(), std::stod(field("basis_minus_limit")), 1e-11) << entry.z;
    EXPECT_GT(errors.back(), 2e-9) << entry.z;
    EXPECT_LT(errors.back(), 6.5e-9) << entry.z;
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_NEAR(errors[40], 4.7e-9, 0.1e-9);
  EXPECT_LT(errors[76], 5.35e-9);
}

}  // namespace
}  // namespace prophet

#include <gtest/gtest.h>

#include "atoms.hpp"

namespace prophet {
namespace {

/// The reference energies once more, all rows, with stored analytic integrals.
TEST(StoredReferenceEnergies, TableBasisSets) {
  for (const auto& row : testing::readCsv(PROPHET_SOURCE_DIR "/basis_sets/reference/wtbs_scf_energies.csv")) {
    const testing::TestAtom atom = testing::libraryAtom(std::stoi(row[0]));
    StoredFockBuilder builder(atom.basis, 2);
    const ScfResult result = testing::run(atom, builder);
    EXPECT_TRUE(result.converged) << row[1];
    EXPECT_NEAR(result.energy.total, std::stod(row[3]), 2e-8) << row[1];
  }
}

}  // namespace
}  // namespace prophet

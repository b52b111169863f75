#include <gtest/gtest.h>

#include "atoms.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

/// The reference energies once more, all rows, with stored analytic integrals.
TEST(StoredReferenceEnergies, TableBasisSets) {
  for (const auto& row : test::rowsOfCsv(PROPHET_SOURCE_DIR "/basis_sets/reference/wtbs_scf_energies.csv")) {
    const test::TestAtom atom = test::libraryAtom(std::stoi(row[0]));
    StoredFockBuilder builder(atom.basis, 2);
    const ScfResult result = test::run(atom, builder);
    EXPECT_TRUE(result.converged) << row[1];
    EXPECT_NEAR(result.energy.total, std::stod(row[3]), 2e-8) << row[1];
  }
}

/// Grid and stored integrals: energies within 1e-11 and spinor energies within 1e-9 relative, in library
/// sets.
TEST(StoredReferenceEnergies, GridAgreesForLightHeavyClosedAndOpen) {
  for (const int z : {2, 10, 18, 36, 54, 86, 6, 24, 64, 92}) {
    const test::TestAtom atom =
        test::libraryAtom(z, z == 64 || z == 92 ? "prophet-1" : "wtbs-2.1-by-symmetry");
    StoredFockBuilder builder(atom.basis, 2);
    const ScfResult stored = test::run(atom, builder), grid = test::runGrid(atom);
    ASSERT_TRUE(stored.converged && grid.converged) << symbolOf(z);
    EXPECT_NEAR(grid.energy.total / stored.energy.total, 1.0, 1e-11) << symbolOf(z);
    for (std::size_t a = 0; a < stored.symmetries.size(); ++a) {
      for (Eigen::Index i = 0; i < stored.symmetries[a].energies.size(); ++i) {
        EXPECT_NEAR(grid.symmetries[a].energies(i) / stored.symmetries[a].energies(i), 1.0, 1e-9)
            << symbolOf(z);
      }
    }
  }
}

}  // namespace
}  // namespace prophet

#include "atoms/scf/screening.hpp"

#include <gtest/gtest.h>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

double potentialAt(const Screening& s, double r) {
  return screeningPotential(s.rates.data(), s.charges.data(), r);
}

TEST(Screening, TableHasEveryOccupiedSymmetryOfEveryAtom) {
  for (int z = 2; z <= kLastElement; ++z) {
    const Configuration ground = parseConfiguration(groundConfiguration(z));
    for (int a = 0; a < ground.occupiedSymmetries(); ++a)
      EXPECT_TRUE(tabulatedScreening(z, z, Symmetry::fromIndex(a))) << symbolOf(z) << " " << a;
    EXPECT_FALSE(tabulatedScreening(z, z, Symmetry::fromIndex(ground.occupiedSymmetries()))) << symbolOf(z);
  }
}

/// The potential is that of fewer electrons than the atom has, and never attracts where electrons are.
TEST(Screening, IsAboutThatOfAllOtherElectrons) {
  for (int z = 3; z <= kLastElement; ++z) {
    for (int a = 0; const auto s = tabulatedScreening(z, z, Symmetry::fromIndex(a)); ++a) {
      double sum = 0.0;
      for (const double charge : s->charges) sum += charge;
      EXPECT_NEAR(sum, z - 1.0, 0.15 * z + 1.0) << symbolOf(z) << " " << a;
      EXPECT_LT(potentialAt(*s, 1e-6) * 1e-6, 1e-3 * z);
      for (const double r : {0.1, 0.3, 1.0}) EXPECT_GT(potentialAt(*s, r), 0.0) << symbolOf(z) << " " << a;
    }
  }
}

TEST(Screening, OfAnIonHasItsCharge) {
  const Symmetry s{-1};
  const auto atom = tabulatedScreening(26, 26, s), ion = tabulatedScreening(26, 23, s);
  ASSERT_TRUE(atom && ion);
  EXPECT_NEAR(1e3 * (potentialAt(*ion, 1e3) - potentialAt(*atom, 1e3)), -3.0, 0.5);
  EXPECT_LT(potentialAt(*ion, 1e-5), potentialAt(*atom, 1e-5));
}

TEST(Screening, IsLeftToThomasAndFermiWhereTheTableDoesNotFit) {
  const Symmetry s{-1};
  EXPECT_FALSE(tabulatedScreening(119, 119, s));
  EXPECT_FALSE(tabulatedScreening(0.4, 2, s));
  EXPECT_FALSE(tabulatedScreening(10, 1, s));
  EXPECT_FALSE(tabulatedScreening(92, 10, s));
  EXPECT_FALSE(tabulatedScreening(10, 14, s));
  EXPECT_TRUE(tabulatedScreening(86.3, 86, s));
}

/// The number of iterations is what the table is for.
TEST(Screening, StartsCloseToTheField) {
  ThreadPool pool(1);
  const std::pair<int, std::size_t> most[] = {{2, 4}, {10, 6}, {24, 8}, {54, 8}, {86, 8}};
  for (const auto& [z, iterations] : most) {
    NucleusRequest request;
    request.model = NuclearModel::Gaussian;
    request.charge = z;
    const BasisSet basis = makeBasis(readLibraryEntry(z, "wtbs-2.1-by-symmetry").value());
    GridFockBuilder builder(basis, fockGrid(basis), pool);
    const ScfResult result = runScf(
        {basis, makeNucleus(request), parseConfiguration(groundConfiguration(z)), constants::kSpeedOfLight},
        builder, {}, pool);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations.size(), iterations) << symbolOf(z);
  }
}

}  // namespace
}  // namespace prophet

#include "atoms/frozen/trial_gatherer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "atoms/basis/well_tempered.hpp"
#include "fixtures.hpp"
#include "frozen_atom.hpp"

namespace prophet {
namespace {

using FieldAtom = test::FrozenAtom;

class Tables : public testing::TestWithParam<int> {};

TEST_P(Tables, AreTheFrozenFieldToRounding) {
  const int z = GetParam();
  const FieldAtom atom(z);
  const TabulatedField tabulated(atom.field);
  ASSERT_EQ(tabulated.symmetries(), atom.field.symmetries());
  const double scale = std::abs(atom.field.referenceEnergy());
  const auto spec = readLibraryEntry(z, "prophet-1")->spec;
  std::mt19937 random(z);
  std::normal_distribution<double> normal;
  for (int a = 0; a < atom.field.symmetries(); ++a) {
    for (int i = 0; i < 9; ++i) {
      const double width = i < 3 ? 0.01 : i < 6 ? 0.1 : 0.3;
      const auto at = static_cast<std::size_t>(a);
      WellTemperedParameters p = spec.groups[at];
      p.alpha *= std::exp(width * normal(random));
      p.beta = 1 + (p.beta - 1) * std::exp(width * normal(random));
      const int n = spec.functions[at] + i % 3 - 1;
      const auto exponents = wellTemperedExponents(p, 1, n, n);
      const BasisShortfall exact = atom.field.shortfall(a, exponents),
                           fast = tabulated.shortfall(a, exponents);
      // Rounding; that of rises of tenths of a hartree, far from every minimum, is larger.
      EXPECT_NEAR(fast.rise, exact.rise, 1e-13 * scale + 2e-8 * std::abs(exact.rise)) << a << " " << i;
      EXPECT_NEAR(fast.prolapse, exact.prolapse, 1e-14 * scale + 1e-6 * exact.prolapse) << a << " " << i;
    }
  }
}

// Closed: Ne, Rn; open s, d: Cr; open f, d: Ce.
INSTANTIATE_TEST_SUITE_P(Atoms, Tables, testing::Values(2, 10, 24, 58, 86));

TEST(TabulatedField, OutOfItsTablesItAsksTheField) {
  const FieldAtom atom(10);
  const TabulatedField tabulated(atom.field);
  const FieldTable table = atom.field.table(0);
  const double most = atom.reference.symmetries[0].exponents.back();
  std::vector<double> exponents = atom.reference.symmetries[0].exponents;
  exponents.back() = 8.0 * most;
  EXPECT_FALSE(table.contains(exponents));
  EXPECT_EQ(tabulated.rise(0, exponents), atom.field.rise(0, exponents));
  EXPECT_EQ(tabulated.rise(0, {1.0}), INFINITY);
  EXPECT_EQ(tabulated.rise(1, {1.0, 1e30}), INFINITY);
  EXPECT_EQ(tabulated.rise(1, {1.0, NAN}), INFINITY);
}

TEST(TabulatedField, FermiNucleiHaveNoTable) {
  const FieldAtom atom(18, NuclearModel::Fermi);
  const TabulatedField tabulated(atom.field);
  const auto& exponents = atom.reference.symmetries[0].exponents;
  const std::vector<double> some(exponents.begin() + 3, exponents.end() - 3);
  EXPECT_EQ(tabulated.rise(0, some), atom.field.rise(0, some));
}

}  // namespace
}  // namespace prophet

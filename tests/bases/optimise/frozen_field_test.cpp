#include "atoms/frozen/frozen_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/basis/well_tempered.hpp"
#include "atoms/calculation/compute.hpp"
#include "bases/optimise/ladder_fit.hpp"
#include "fixtures.hpp"
#include "frozen_atom.hpp"

namespace prophet {
namespace {

struct Atom : test::FrozenAtom {
  Atom(int z, double beta) : FrozenAtom(z, NuclearModel::Gaussian, beta) {}
  double scf(const BasisSet& basis) const {
    const Result outcome = computeOrReason(calculationIn(basis, {nucleus, configuration, {}}));
    EXPECT_TRUE(outcome.ok()) << outcome.reason;
    return outcome.energy.total;
  }
  /// The reference with one symmetry's ladder replaced.
  BasisSet with(int symmetry, const std::vector<double>& exponents) const {
    BasisSet basis = reference;
    basis.symmetries[symmetry].exponents = exponents;
    return basis;
  }
};

/// A coarser ladder over the same range.
std::vector<double> coarse(const SymmetryBasis& s, double beta) {
  const int n = 1 + static_cast<int>(std::log(s.exponents.back() / s.exponents.front()) / std::log(beta));
  return wellTemperedExponents({s.exponents.front(), beta, 0.0, 0.0}, 1, n, n);
}

class ClosedAndOpen : public testing::TestWithParam<int> {};

TEST_P(ClosedAndOpen, TheRiseIsTheScfErrorOfACoarserSymmetry) {
  const Atom atom(GetParam(), 1.6);
  for (int a = 0; a < atom.field.symmetries(); ++a) {
    const auto exponents = coarse(atom.reference.symmetries[a], 2.1);
    const double error = atom.scf(atom.with(a, exponents)) - atom.field.referenceEnergy();
    ASSERT_GT(error, 1e-9);
    EXPECT_NEAR(atom.field.rise(a, exponents) / error, 1.0, 0.1) << a;
  }
}

// Ne: closed; B: open p; Sc: open d with closed s of other symmetry; Cr: open s, d; F: one hole.
INSTANTIATE_TEST_SUITE_P(Atoms, ClosedAndOpen, testing::Values(5, 9, 10, 21, 24));

TEST(FrozenField, TheReferenceItselfHasNoError) {
  const Atom atom(10, 1.8);
  for (int a = 0; a < 3; ++a)
    EXPECT_NEAR(atom.field.rise(a, atom.reference.symmetries[a].exponents), 0.0, 1e-10);
}

TEST(FrozenField, ImpossibleBasesRiseWithoutBound) {
  const Atom atom(10, 1.8);
  EXPECT_EQ(atom.field.rise(0, {1.0}), INFINITY);        // two spinors, one function
  EXPECT_EQ(atom.field.rise(1, {1.0, 1e30}), INFINITY);  // beyond the grid
  EXPECT_EQ(atom.field.rise(1, {1.0, INFINITY}), INFINITY);
  EXPECT_GT(atom.field.rise(1, {1e-3, 2e-3}), 1.0);
}

TEST(FrozenField, SeesProlapse) {
  // A gap at the tight end of a heavy atom's s ladder lets negative-energy solutions in.
  const Atom atom(86, 1.8);
  const WellTemperedParameters gap{0.0838, 1.8, 15.6, 1.136};
  const BasisShortfall bad = atom.field.shortfall(0, wellTemperedExponents(gap, 1, 32, 32));
  EXPECT_LT(bad.rise, 0.0);
  EXPECT_GT(bad.prolapse, 1e-9 * 23602);
  const BasisShortfall good = atom.field.shortfall(0, atom.reference.symmetries[0].exponents);
  EXPECT_LT(good.prolapse, 1e-11 * 23602);
  EXPECT_GE(good.prolapse, 0.0);
}

TEST(LadderFit, RangesSizesAndStarts) {
  const Atom atom(10, 1.6);
  const double tolerance = 1e-8;
  const auto& exponents = atom.reference.symmetries[1].exponents;
  const ExponentRange range = neededRange(atom.field, 1, exponents, tolerance);
  EXPECT_GT(range.smallest, exponents.front());
  EXPECT_LT(range.largest, exponents.back());
  const WellTemperedParameters p = ladderOver(range, 15, 5.0, 1.0);
  const auto ladder = wellTemperedExponents(p, 1, 15, 15);
  EXPECT_NEAR(ladder.front() / range.smallest, 1.0, 1e-12);
  EXPECT_NEAR(ladder.back() / range.largest, 1.0, 1e-12);

  const FittedLadder fitted =
      fitLadder(atom.field, 1, 15, p, 1e-10, {MinimiserMethod::Newuoa, 0.4, 1e-3, 300});
  EXPECT_LT(cost(fitted.shortfall), cost(atom.field.shortfall(1, ladder)));
  EXPECT_LT(fitted.shortfall.rise, 2e-9 * 128.7);
  const auto larger = wellTemperedExponents(resized(fitted, 17), 1, 17, 17);
  EXPECT_NEAR(larger.front() / fitted.exponents().front(), 1.0, 1e-12);
  EXPECT_NEAR(larger.back() / fitted.exponents().back(), 1.0, 1e-10);
}

}  // namespace
}  // namespace prophet

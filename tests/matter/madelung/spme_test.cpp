#include "matter/madelung/spme.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"
#include "crystals.hpp"
#include "matter/madelung/direct_ewald.hpp"

namespace prophet {
namespace {

double relativeError(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return (a - b).norm() / b.norm(); }

class SpmeTolerance : public testing::TestWithParam<double> {};

/// The chosen parameters keep what they promise, for disorder and for crystals.
TEST_P(SpmeTolerance, IsKept) {
  const crystals::Crystal salt = crystals::rockSalt(10.66);
  for (const ChargedCell& cell : {crystals::disordered(40, 4), crystals::disordered(3, 5), salt.cell}) {
    const Electrostatics reference = directEwald(cell);
    for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
      SpmeRequest request;
      request.assignment = a;
      request.tolerance = a == Assignment::Filter ? std::max(GetParam(), 1e-6) : GetParam();
      const SpmeParameters p = chosenParameters(cell, request);
      const Electrostatics e = spme(cell, p, NetCharge::Refused, 2);
      EXPECT_LT(relativeError(e.potentials, reference.potentials), request.tolerance)
          << nameOf(a) << " " << cell.sites();
      EXPECT_NEAR(e.energy, reference.energy, request.tolerance * std::abs(reference.energy)) << nameOf(a);
      EXPECT_NEAR(e.energy, 0.5 * cell.charges.dot(e.potentials), 1e-11 * std::abs(e.energy)) << nameOf(a);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tolerances, SpmeTolerance, testing::Values(1e-3, 1e-5, 1e-8, 1e-11));

class Spmes : public testing::TestWithParam<Assignment> {};

TEST_P(Spmes, ForcesAndVirialAreDerivatives) {
  const ChargedCell cell = crystals::disordered(6, 6);
  const SpmeParameters p{GetParam(), 8, {20, 24, 24}, 0.7, 9.0};
  const Electrostatics e = spme(cell, p);
  const double step = 1e-4;
  const auto energyMoved = [&](double d) {
    ChargedCell moved = cell;
    moved.positions(1, 2) += d;
    return spme(moved, p).energy;
  };
  EXPECT_NEAR(-(energyMoved(step) - energyMoved(-step)) / (2 * step), e.forces(cell.charges)(1, 2), 2e-6);
  const auto energyStrained = [&](double d) {
    ChargedCell strained = cell;
    Eigen::Matrix3d strain = Eigen::Matrix3d::Identity();
    strain(0, 2) += d;
    strain(1, 1) += d;
    strained.vectors = strain * cell.vectors;
    strained.positions = strain * cell.positions;
    return spme(strained, p).energy;
  };
  EXPECT_NEAR(-(energyStrained(step) - energyStrained(-step)) / (2 * step), e.virial(0, 2) + e.virial(1, 1),
              1e-5);
}

TEST_P(Spmes, AgreeWithTheReferenceInForcesAndVirial) {
  const ChargedCell cell = crystals::disordered(30, 7);
  const Electrostatics reference = directEwald(cell);
  SpmeParameters p{GetParam(), 10, {40, 40, 48}, 0.7, 9.5};
  const Electrostatics e = spme(cell, p);
  EXPECT_LT((e.fields - reference.fields).norm(), 1e-4 * reference.fields.norm());
  EXPECT_LT((e.virial - reference.virial).norm(), 1e-5 * reference.virial.norm());
}

TEST_P(Spmes, DoNotDependOnTheThreads) {
  const ChargedCell cell = crystals::disordered(20, 8);
  for (const ChargePrecision precision : {ChargePrecision::Double, ChargePrecision::Mixed}) {
    const SpmeParameters p{GetParam(), 4, {32, 32, 32}, 0.7, 6.0, precision};
    const Electrostatics one = spme(cell, p), three = spme(cell, p, NetCharge::Refused, 3);
    EXPECT_EQ(one.energy, three.energy);
    EXPECT_EQ(one.potentials, three.potentials);
    EXPECT_EQ(one.virial, three.virial);
  }
}

/// Nothing of one configuration is left in the next one.
TEST_P(Spmes, KeepWhatDependsOnTheCellAlone) {
  for (const ChargePrecision precision : {ChargePrecision::Double, ChargePrecision::Mixed}) {
    const ChargedCell first = crystals::disordered(20, 8);
    ChargedCell second = first;
    second.positions.row(1).array() += Eigen::ArrayXd::LinSpaced(first.sites(), -0.3, 0.3).transpose();
    const SpmeParameters p{GetParam(), 5, {32, 30, 27}, 0.7, 6.0, precision};
    Spme kept(first.vectors, p, 1);
    kept.compute(first);
    const Electrostatics again = kept.compute(second), fresh = spme(second, p);
    EXPECT_EQ(again.energy, fresh.energy);
    EXPECT_EQ(again.fields, fresh.fields);
    EXPECT_EQ(again.virial, fresh.virial);
  }
}

/// What docs/how-to/madelung.md promises of mixed precision.
TEST_P(Spmes, AreGoodToSixDigitsInMixedPrecision) {
  for (const ChargedCell& cell :
       {crystals::disordered(40, 4), crystals::repeated(crystals::rockSalt(10.66).cell, 3)}) {
    SpmeParameters p{GetParam(), 8, {54, 54, 54}, 0.5, 11.0};
    const Electrostatics twofold = spme(cell, p);
    p.precision = ChargePrecision::Mixed;
    const Electrostatics mixed = spme(cell, p);
    EXPECT_LT(relativeError(mixed.potentials, twofold.potentials), 1e-6);
    EXPECT_GT(relativeError(mixed.potentials, twofold.potentials), 1e-9) << "not in single precision";
    EXPECT_NEAR(mixed.energy, twofold.energy, 1e-6 * std::abs(twofold.energy));
    const double scale = std::max(twofold.fields.norm(), twofold.potentials.norm() / 10);
    EXPECT_LT((mixed.fields - twofold.fields).norm(), 3e-6 * scale);
    EXPECT_LT((mixed.virial - twofold.virial).norm(), 3e-6 * twofold.virial.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Assignments, Spmes,
                         testing::Values(Assignment::Spread, Assignment::Gather, Assignment::Filter));

TEST(Spme, TakesABackground) {
  ChargedCell cell{4 * Eigen::Matrix3d::Identity(), Eigen::Vector3d(1, 2, 3),
                   Eigen::VectorXd::Constant(1, 1.0)};
  const SpmeParameters p{Assignment::Spread, 10, {24, 24, 24}, 1.2, 5.0};
  EXPECT_NEAR(spme(cell, p, NetCharge::Background).energy, -2.837297479480620 / 8, 1e-8);
}

TEST(Spme, RefusesWhatCannotBe) {
  const ChargedCell cell = crystals::rockSalt(10).cell;
  EXPECT_THROW(spme(cell, {Assignment::Spread, 1, {20, 20, 20}, 0.5, 9.0}), Error);
  EXPECT_THROW(spme(cell, {Assignment::Spread, 6, {6, 20, 20}, 0.5, 9.0}), Error);
  EXPECT_THROW(spme(cell, {Assignment::Spread, 6, {20, 20, 20}, 0.0, 9.0}), Error);
  EXPECT_THROW(spme(cell, {Assignment::Spread, 6, {20, 20, 20}, 0.5, -9.0}), Error);
  EXPECT_THROW(chosenParameters(cell, SpmeRequest{Assignment::Spread, 1e-15, {}, {}, {}, {}}), Error);
}

}  // namespace
}  // namespace prophet

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"
#include "crystals.hpp"
#include "matter/madelung/direct_ewald.hpp"

namespace prophet {
namespace {

using crystals::Crystal;
using crystals::cubic;

double constantOf(const Crystal& c) { return madelungConstant(c.cell, c.kinds, directEwald(c.cell).energy); }

// To 12 figures: OEIS A085469 (NaCl), A181152 (CsCl), A182566 (zinc blende), Y. Sakamoto, J. Chem. Phys. 28,
// 164 (1958).
TEST(DirectEwald, GivesMadelungConstants) {
  EXPECT_NEAR(constantOf(crystals::rockSalt(10.66)), 1.747564594633182, 1e-12);
  EXPECT_NEAR(constantOf(cubic(7.8, {{"Cs", 1, 0, 0, 0}, {"Cl", -1, .5, .5, .5}})), 1.762674773070988, 1e-12);
  const Crystal blende = cubic(10.2, {{"Zn", 2, 0, 0, 0},
                                      {"Zn", 2, 0, .5, .5},
                                      {"Zn", 2, .5, 0, .5},
                                      {"Zn", 2, .5, .5, 0},
                                      {"S", -2, .25, .25, .25},
                                      {"S", -2, .25, .75, .75},
                                      {"S", -2, .75, .25, .75},
                                      {"S", -2, .75, .75, .25}});
  EXPECT_NEAR(constantOf(blende), 1.638055053388790, 1e-12);
}

/// Fluorite consists of zinc blende and rock salt: the lattices of Ca and of each F are face-centred, so with
/// potentials of unit lattices phi(x): E/e^2 a = ... In terms of constants for the cube's edge a, A_CaF2(a) =
/// 4 A_CsCl(a) + 2 A_blende(a), here all over the nearest distance.
TEST(DirectEwald, GivesFluoriteByItsParts) {
  const Crystal fluorite = cubic(10.3, {{"Ca", 2, 0, 0, 0},
                                        {"Ca", 2, 0, .5, .5},
                                        {"Ca", 2, .5, 0, .5},
                                        {"Ca", 2, .5, .5, 0},
                                        {"F", -1, .25, .25, .25},
                                        {"F", -1, .25, .75, .75},
                                        {"F", -1, .75, .25, .75},
                                        {"F", -1, .75, .75, .25},
                                        {"F", -1, .75, .75, .75},
                                        {"F", -1, .75, .25, .25},
                                        {"F", -1, .25, .75, .25},
                                        {"F", -1, .25, .25, .75}});
  const double cesium = 1.762674773070988, blende = 1.638055053388790;
  EXPECT_NEAR(constantOf(fluorite), 5.0387848, 1e-7);
  EXPECT_NEAR(constantOf(fluorite), cesium + 2 * blende, 1e-12);
}

/// ABX3 as three simple cubic lattices: with the potentials of a simple cubic lattice in a background at its
/// own points and at the centre, face and edge of its cube the energy is a sum of them; here against another
/// splitting and a larger cell.
TEST(DirectEwald, GivesPerovskite) {
  const Crystal perovskite = cubic(7.38, {{"Sr", 2, 0, 0, 0},
                                          {"Ti", 4, .5, .5, .5},
                                          {"O", -2, .5, .5, 0},
                                          {"O", -2, .5, 0, .5},
                                          {"O", -2, 0, .5, .5}});
  const double a = constantOf(perovskite);
  EXPECT_NEAR(4 * a, 24.7549, 5e-5);  // known for the charges 2, 4, -2
  const ChargedCell big = crystals::repeated(perovskite.cell, 2);
  EXPECT_NEAR(directEwald(big).energy / 8, directEwald(perovskite.cell).energy, 1e-12 * 30);
  EXPECT_NEAR(directEwald(perovskite.cell, NetCharge::Refused, 1, 0.9).energy,
              directEwald(perovskite.cell, NetCharge::Refused, 1, 0.4).energy, 1e-12 * 30);
}

/// Any cell, any splitting, any number of threads, any origin.
TEST(DirectEwald, DoesNotDependOnWhatItMustNot) {
  const ChargedCell cell = crystals::disordered(8, 1);
  const Electrostatics one = directEwald(cell), split = directEwald(cell, NetCharge::Refused, 2, 0.8);
  EXPECT_NEAR(one.energy, split.energy, 1e-12 * std::abs(one.energy));
  EXPECT_LT((one.potentials - split.potentials).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((one.fields - split.fields).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((one.virial - split.virial).cwiseAbs().maxCoeff(), 1e-11);
  ChargedCell moved = cell;
  moved.positions.colwise() += Eigen::Vector3d(3.3, -20.1, 0.7);
  moved.vectors.col(1) += 2 * moved.vectors.col(0);
  EXPECT_NEAR(directEwald(moved).energy, one.energy, 1e-12 * std::abs(one.energy));
  EXPECT_EQ(directEwald(cell, NetCharge::Refused, 1).energy, directEwald(cell, NetCharge::Refused, 4).energy);
}

TEST(DirectEwald, IsConsistent) {
  const ChargedCell cell = crystals::disordered(6, 2);
  const Electrostatics e = directEwald(cell);
  EXPECT_NEAR(e.energy, 0.5 * cell.charges.dot(e.potentials), 1e-12);
  EXPECT_NEAR(e.virial.trace(), e.energy, 1e-12);  // Coulomb's law is homogeneous
  EXPECT_LT(e.forces(cell.charges).rowwise().sum().norm(), 1e-12);
}

TEST(DirectEwald, ForcesAndVirialAreDerivatives) {
  const ChargedCell cell = crystals::disordered(4, 3);
  const Electrostatics e = directEwald(cell);
  const double step = 1e-4;
  const auto energyMoved = [&](double d) {
    ChargedCell moved = cell;
    moved.positions(1, 2) += d;
    return directEwald(moved).energy;
  };
  EXPECT_NEAR(-(energyMoved(step) - energyMoved(-step)) / (2 * step), e.forces(cell.charges)(1, 2), 1e-6);
  const auto energyStrained = [&](double d) {
    ChargedCell strained = cell;
    Eigen::Matrix3d strain = Eigen::Matrix3d::Identity();
    strain(0, 2) += d;
    strain(2, 0) += d;
    strained.vectors = strain * cell.vectors;
    strained.positions = strain * cell.positions;
    return directEwald(strained).energy;
  };
  EXPECT_NEAR(-(energyStrained(step) - energyStrained(-step)) / (2 * step), e.virial(0, 2) + e.virial(2, 0),
              1e-6);
}

/// One charge in a cubic background: the Wigner constant, 2.837297479... / (2 edge) (Y. Sakamoto 1958; simple
/// cubic).
TEST(DirectEwald, TakesABackground) {
  ChargedCell cell{4 * Eigen::Matrix3d::Identity(), Eigen::Vector3d(1, 2, 3),
                   Eigen::VectorXd::Constant(1, 1.0)};
  EXPECT_THROW(directEwald(cell), Error);
  const Electrostatics e = directEwald(cell, NetCharge::Background);
  EXPECT_NEAR(e.energy, -2.837297479480620 / 8, 1e-12);
  EXPECT_NEAR(e.virial.trace(), e.energy, 1e-12);
  EXPECT_NEAR(directEwald(cell, NetCharge::Background, 1, 1.5).energy, e.energy, 1e-12);
}

TEST(ChargedCell, RefusesAbsurdCells) {
  const ChargedCell good = crystals::rockSalt(10).cell;
  const auto refusal = [&](auto change) {
    ChargedCell cell = good;
    change(cell);
    try {
      check(cell, NetCharge::Refused);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([](ChargedCell&) {}), "");
  EXPECT_THAT(refusal([](ChargedCell& c) { c.positions.col(1) = c.positions.col(0); }),
              testing::HasSubstr("apart"));
  EXPECT_THAT(refusal([](ChargedCell& c) { c.positions.col(1) = c.positions.col(0) + 5 * c.vectors.col(2); }),
              testing::HasSubstr("apart"));
  EXPECT_THAT(refusal([](ChargedCell& c) { c.vectors.col(1) = c.vectors.col(0); }),
              testing::HasSubstr("volume"));
  EXPECT_THAT(refusal([](ChargedCell& c) { c.vectors.col(1) *= 1e6; }), testing::HasSubstr("flatter"));
  EXPECT_THAT(refusal([](ChargedCell& c) { c.charges(0) = 2; }), testing::HasSubstr("net charge"));
  EXPECT_THAT(refusal([](ChargedCell& c) { c.charges.setZero(); }), testing::HasSubstr("zero"));
  EXPECT_THAT(refusal([](ChargedCell& c) { c.positions(0, 0) = NAN; }), testing::HasSubstr("not a number"));
  EXPECT_THAT(refusal([](ChargedCell& c) { c.charges.resize(0), c.positions.resize(3, 0); }),
              testing::HasSubstr("no sites"));
}

TEST(MadelungConstant, TakesTheGreatestCommonFactorOfCharges) {
  EXPECT_DOUBLE_EQ(commonCharge(Eigen::Vector3d(2, -4, 2)), 2);
  EXPECT_DOUBLE_EQ(commonCharge(Eigen::Vector3d(3, -2, -1)), 1);
  EXPECT_NEAR(commonCharge(Eigen::Vector3d(0.8, -0.4, -0.4)), 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(commonCharge(Eigen::Vector3d(1.2345, -0.7177, -0.5168)), 1);
}

}  // namespace
}  // namespace prophet

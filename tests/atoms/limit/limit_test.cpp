#include "atoms/limit/limit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/common/error.hpp"
#include "reference_row.hpp"

namespace prophet {
namespace {

Nucleus pointNucleus(double charge) {
  Nucleus nucleus;
  nucleus.charge = charge;
  return nucleus;
}

Nucleus defaultNucleus(NuclearModel model, double charge, double mass) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  request.massNumber = mass;
  return makeNucleus(request);
}

LimitResult limitOf(const test::ReferenceRow& row) {
  LimitOptions options;
  options.speedOfLight = row.speedOfLight;
  return numericalLimit(row.nucleus, parseConfiguration(row.configuration), options);
}

class ReferenceEnergies : public ::testing::TestWithParam<const char*> {};

// All rows of an element, point and Fermi; 121 rows are checked by the slow tests.
TEST_P(ReferenceEnergies, AgreeTo1e12) {
  int rows = 0;
  for (const auto& row : test::readReferenceRows()) {
    if (row.symbol != GetParam()) continue;
    ++rows;
    const LimitResult result = limitOf(row);
    EXPECT_TRUE(result.converged) << row.nucleusName;
    EXPECT_NEAR(result.energy, row.energy, 1e-12 * std::abs(row.energy)) << row.nucleusName;
    EXPECT_LT(result.estimatedError, 1e-10 * std::abs(row.energy)) << row.nucleusName;
    EXPECT_GE(result.estimatedError, std::abs(result.energy - row.energy) - row.error) << row.nucleusName;
  }
  EXPECT_GT(rows, 0);
}

INSTANTIATE_TEST_SUITE_P(Limit, ReferenceEnergies,
                         ::testing::Values("H", "He", "Be", "C", "Ne", "Ar", "Cr", "Xe", "Rn"),
                         [](const auto& name) { return std::string(name.param); });

// An empty label of a whole shell, "2s", stands for 2s1/2.
TEST(Limit, SpinorEnergiesOfNeonAgreeTo1e9) {
  LimitResult point, fermi;
  int compared = 0;
  for (const auto& row : test::readReferenceSpinors()) {
    if (row.symbol != "Ne") continue;
    LimitResult& result = row.nucleusName == "point" ? point : fermi;
    if (result.spinors.empty()) result = numericalLimit(row.nucleus, parseConfiguration("[Ne]"));
    const std::string label = row.label.back() == 's' ? row.label + "1/2" : row.label;
    const auto found = std::find_if(result.spinors.begin(), result.spinors.end(),
                                    [&](const LimitSpinor& s) { return s.label == label; });
    ASSERT_NE(found, result.spinors.end()) << label;
    EXPECT_NEAR(found->energy, row.energy, 1e-9) << label << " " << row.nucleusName;
    ++compared;
  }
  EXPECT_EQ(compared, 8);
}

// Exact expectation values of the Dirac 1s state, gamma = sqrt(1 - (Z/c)^2): <r> = (2 gamma + 1)/(2Z),
// <r^2> = (2 gamma + 1)(2 gamma + 2)/(4 Z^2), <1/r> = Z/gamma.
TEST(Limit, RadialExpectationValuesOfHydrogenLikeRadon) {
  const double z = 86, coupling = z / constants::kSpeedOfLight, gamma = std::sqrt(1 - coupling * coupling);
  const LimitResult result = numericalLimit(pointNucleus(z), parseConfiguration("1s1"));
  ASSERT_EQ(result.spinors.size(), 1u);
  const LimitSpinor& s = result.spinors[0];
  EXPECT_EQ(s.label, "1s1/2");
  EXPECT_TRUE(s.open);
  EXPECT_NEAR(s.meanRadius * 2 * z / (2 * gamma + 1), 1, 1e-12);
  EXPECT_NEAR(s.meanSquareRadius * 4 * z * z / ((2 * gamma + 1) * (2 * gamma + 2)), 1, 1e-12);
  EXPECT_NEAR(s.meanInverseRadius * gamma / z, 1, 1e-11);
}

// The virial theorem of a point nucleus, -<V> = <c alpha.p>, and the parts adding up.
TEST(Limit, VirialTheoremAndEnergyParts) {
  const LimitResult result = numericalLimit(pointNucleus(18), parseConfiguration("[Ar]"));
  EXPECT_NEAR(result.virialRatio, 1, 1e-11);
  const auto& p = result.parts;
  EXPECT_NEAR(p.value(EnergyPartId::Kinetic) + p.value(EnergyPartId::NuclearAttraction) +
                  p.value(EnergyPartId::ElectronRepulsion),
              result.energy, 1e-12 * std::abs(result.energy));
  EXPECT_EQ(p.parts.size(), 3u);
  EXPECT_EQ(result.resolutions.size(), 2u);
  EXPECT_GT(result.resolutions[1].splines, result.resolutions[0].splines);
}

// A Coulomb potential -1/r on top of Z = 1 makes a helium-like ion's field of Z = 2.
TEST(Limit, ExtraPotentialActsLikeTheNucleus) {
  LimitOptions options;
  options.extra = {{EnergyPartId::External, {{[](double r) { return -1 / r; }, {}}}, {}}};
  const LimitResult sum = numericalLimit(pointNucleus(1), parseConfiguration("1s2"), options);
  const LimitResult helium = numericalLimit(pointNucleus(2), parseConfiguration("1s2"));
  EXPECT_NEAR(sum.energy, helium.energy, 1e-11);
  EXPECT_NEAR(sum.parts.value(EnergyPartId::External),
              helium.parts.value(EnergyPartId::NuclearAttraction) / 2, 1e-9);
}

// Negative ions reach far out: the mesh must follow.
TEST(Limit, HydrogenAnion) {
  const LimitResult result = numericalLimit(pointNucleus(1), parseConfiguration("1s2"));
  EXPECT_TRUE(result.converged);
  EXPECT_GT(result.resolutions.back().largestRadius, 60);
  LimitOptions wide;
  wide.largestRadius = 150;
  wide.density = 1.3;
  const double energy = numericalLimit(pointNucleus(1), parseConfiguration("1s2"), wide).energy;
  EXPECT_NEAR(result.energy, energy, 1e-12);
}

// A nucleus without its finite extent: the models approach the point as the radius shrinks, in proportion to
// the square of the radius (times a power of the coupling).
TEST(Limit, NuclearModelsAgreeAtEqualRadiusForLightAtoms) {
  const auto configuration = parseConfiguration("1s2");
  const double point = numericalLimit(pointNucleus(2), configuration).energy;
  const double sphere = numericalLimit(defaultNucleus(NuclearModel::Sphere, 2, 4), configuration).energy;
  const double gauss = numericalLimit(defaultNucleus(NuclearModel::Gaussian, 2, 4), configuration).energy;
  const double fermi = numericalLimit(defaultNucleus(NuclearModel::Fermi, 2, 4), configuration).energy;
  EXPECT_GT(sphere - point, 1e-8);
  EXPECT_NEAR((gauss - point) / (sphere - point), 1, 1e-3);
  EXPECT_NEAR((fermi - point) / (sphere - point), 1, 1e-3);
}

TEST(Limit, RefusesWhatItCannotDo) {
  const auto helium = parseConfiguration("1s2");
  EXPECT_THROW(numericalLimit(pointNucleus(140), helium), Error);
  EXPECT_THROW(numericalLimit(pointNucleus(-1), helium), Error);
  Nucleus unfinished = pointNucleus(2);
  unfinished.model = NuclearModel::Gaussian;
  EXPECT_THROW(numericalLimit(unfinished, helium), Error);
  LimitOptions options;
  options.splineOrder = 3;
  EXPECT_THROW(numericalLimit(pointNucleus(2), helium, options), Error);
  options = {};
  options.refinement = 1;
  EXPECT_THROW(numericalLimit(pointNucleus(2), helium, options), Error);
}

TEST(Limit, SaysWhenItDidNotConverge) {
  LimitOptions options;
  options.maxIterations = 3;
  EXPECT_FALSE(numericalLimit(pointNucleus(10), parseConfiguration("[Ne]"), options).converged);
}

}  // namespace
}  // namespace prophet

#include "atoms/properties/properties.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "with_spinors.hpp"

namespace prophet {
namespace {

TEST(Properties, AgreeWithWhatTheResultSaysAlready) {
  const test::Computed limit = test::computedLimit("$nuc znuc=54 $end");
  EXPECT_NEAR(*limit.properties.total.of(0), 54, 1e-10);
  for (std::size_t i = 0; i < limit.result.spinors.size(); ++i) {
    const Spinor& s = limit.result.spinors[i];
    const PowerMoments& m = limit.properties.moments[i];
    EXPECT_NEAR(*m.of(0), 1, 1e-12) << s.label();
    EXPECT_NEAR(*m.of(1) / *s.meanRadius, 1, 1e-12) << s.label();
    EXPECT_NEAR(*m.of(2) / *s.meanSquareRadius, 1, 1e-12) << s.label();
    EXPECT_NEAR(*m.of(-1) / *s.meanInverseRadius, 1, 1e-12) << s.label();
  }
  const test::Computed basis = test::computed("$nuc znuc=54 $end");
  EXPECT_NEAR(*basis.properties.total.of(0), 54, 1e-10);
  for (std::size_t i = 0; i < basis.result.spinors.size(); ++i)
    EXPECT_NEAR(*basis.properties.moments[i].of(1) / *basis.result.spinors[i].meanRadius, 1, 1e-11);
}

TEST(Properties, OfTwoComponentsLeaveOutWhatNeedsFour) {
  const std::string boron = "$nuc znuc=5 $end ";
  const test::Computed two = test::computed(boron + "$contrl hamiltonian='x2c1e' $end");
  EXPECT_TRUE(two.properties.hyperfine.empty());
  EXPECT_FALSE(two.properties.nucleus.density || two.properties.nucleus.potential ||
               two.properties.nucleus.energySlope);
  EXPECT_NEAR(*two.properties.total.of(0), 5, 1e-10);
  const test::Computed none = test::computed(boron + "$contrl hamiltonian='nonrel' $end");
  EXPECT_TRUE(none.properties.hyperfine.empty());
  EXPECT_TRUE(none.properties.nucleus.density.has_value());
  EXPECT_FALSE(test::computed(boron).properties.hyperfine.empty());
  // Light atoms: all three nearly agree where the nucleus is far.
  EXPECT_NEAR(*two.properties.total.of(2) / *test::computed(boron).properties.total.of(2), 1, 1e-4);
}

TEST(Properties, NonrelativisticLimitAndBasisAgree) {
  const auto atom = [](const char* job) {
    return std::string("$nuc znuc=10 $end $contrl hamiltonian='nonrel' ") + job + " $end";
  };
  const test::Computed limit = test::computed(atom("jobtype='limit'")), basis = test::computed(atom(""));
  for (int k = -2; k <= 2; ++k)
    EXPECT_NEAR(*basis.properties.total.of(k) / *limit.properties.total.of(k), 1, 1e-4) << k;
  // Orbitals of p start as r^2 for both j: there is an <r^-3>, and no splitting.
  const int low = test::indexOf(limit.result, "2p1/2"), high = test::indexOf(limit.result, "2p3/2");
  ASSERT_TRUE(limit.properties.moments[low].of(-3).has_value());
  EXPECT_NEAR(*limit.properties.moments[low].of(-3) / *limit.properties.moments[high].of(-3), 1, 1e-9);
  EXPECT_NEAR(*basis.properties.moments[low].of(-3) / *limit.properties.moments[low].of(-3), 1, 1e-4);
  EXPECT_TRUE(limit.properties.splittings.empty());
  EXPECT_NEAR(*basis.properties.nucleus.meanDensity / *limit.properties.nucleus.meanDensity, 1, 1e-3);
}

class ClosedShells : public testing::TestWithParam<int> {};

// Gaussians and B-splines share no code. The basis sets lack up to 5e-9 of the energy: tails and the
// innermost region feel it most.
TEST_P(ClosedShells, OfBasisAndLimitAgree) {
  const std::string atom = "$nuc znuc=" + std::to_string(GetParam()) + " $end";
  const test::Computed basis = test::computed(atom), limit = test::computedLimit(atom);
  const auto tolerance = [](int k) { return k < 1 ? 1e-4 : k == 1 ? 5e-5 : k == 2 ? 5e-4 : 2e-2; };
  for (int k = -2; k <= kHighestPower; ++k)
    EXPECT_NEAR(*basis.properties.total.of(k) / *limit.properties.total.of(k), 1, tolerance(k)) << k;
  const NuclearRegion &a = basis.properties.nucleus, &b = limit.properties.nucleus;
  EXPECT_NEAR(*a.meanDensity / *b.meanDensity, 1, 1e-3);
  // Of first order in what the thresholds leave of the spinors' errors.
  EXPECT_NEAR(*a.meanPotential / *b.meanPotential, 1, 3e-7);
  EXPECT_NEAR(*a.energySlope / *b.energySlope, 1, 1e-3);
  ASSERT_EQ(basis.properties.splittings.size(), limit.properties.splittings.size());
  for (std::size_t i = 0; i < limit.properties.splittings.size(); ++i) {
    EXPECT_EQ(basis.properties.splittings[i].shell, limit.properties.splittings[i].shell);
    EXPECT_NEAR(basis.properties.splittings[i].value / limit.properties.splittings[i].value, 1, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Atoms, ClosedShells, testing::Values(10, 54, 86));

TEST(Properties, EnergiesOfOneAndTwoElectronsAddUp) {
  for (const char* job :
       {"$nuc znuc=10 $end $contrl breit='breit' breitscf=.true. $end", "$nuc znuc=10 $end"}) {
    const test::Computed c = test::computed(job);
    EXPECT_NEAR(c.properties.oneElectron + c.properties.twoElectron, c.result.energy.total, 1e-10);
    EXPECT_GT(c.properties.twoElectron, 0);
  }
}

TEST(Properties, SplittingsAreOfShellsWithBothSpinors) {
  const test::Computed xe = test::computed("$nuc znuc=54 $end");
  std::string shells;
  for (const SpinOrbitSplitting& s : xe.properties.splittings) shells += s.shell + " ";
  EXPECT_EQ(shells, "2p 3p 3d 4p 4d 5p ");
  for (const SpinOrbitSplitting& s : xe.properties.splittings) EXPECT_GT(s.value, 0);
  EXPECT_TRUE(xe.properties.hyperfine.empty());
}

TEST(Properties, HyperfineIntegralsOfOpenSpinors) {
  const test::Computed basis = test::computed("$nuc znuc=81 $end"),
                       limit = test::computedLimit("$nuc znuc=81 $end");
  ASSERT_EQ(basis.properties.hyperfine.size(), 2U);  // 6p1/2, 6p3/2
  for (int i : {0, 1}) {
    const HyperfineIntegrals &a = basis.properties.hyperfine[i], &b = limit.properties.hyperfine[i];
    EXPECT_EQ(a.label, b.label);
    EXPECT_NEAR(*a.magneticDipole / *b.magneticDipole, 1, 1e-3) << a.label;
    EXPECT_GT(*a.magneticConstant, 0);
    EXPECT_EQ(a.electricQuadrupole.has_value(), i == 1);
  }
  EXPECT_NEAR(
      *basis.properties.hyperfine[1].electricQuadrupole / *limit.properties.hyperfine[1].electricQuadrupole,
      1, 1e-3);
}

TEST(Properties, TablesHoldWhatTheMembersSay) {
  const test::Computed c = test::computed("$nuc znuc=5 $end");
  const Properties& p = c.properties;
  const nlohmann::ordered_json j = propertiesJson(p.tables);
  EXPECT_EQ(j.at("one_electron_energy"), p.oneElectron);
  EXPECT_EQ(j.at("nucleus").at("mean_density"), *p.nucleus.meanDensity);
  EXPECT_EQ(j.at("expectation_values").at("total").at("r^2"), *p.total.of(2));
  EXPECT_FALSE(j.at("expectation_values").at("total").contains("r^-3"));
  EXPECT_EQ(j.at("spin_orbit_splittings").at(p.splittings.at(0).shell), p.splittings[0].value);
  ASSERT_EQ(j.at("hyperfine").size(), p.hyperfine.size());
  EXPECT_EQ(j.at("hyperfine").at(0).at("label"), p.hyperfine[0].label);
  EXPECT_EQ(j.at("hyperfine").at(0).at("a_mhz"), *p.hyperfine[0].magneticConstant);
  std::size_t numbers = 0;
  for (const PropertyValue& value : propertyValues(p.tables)) {
    EXPECT_FALSE(value.unit.empty()) << value.key;
    numbers += value.table == "nucleus";
  }
  EXPECT_EQ(numbers, j.at("nucleus").size());
  for (const PropertyTable& table : p.tables) {
    for (const PropertyTable::Row& row : table.rows) EXPECT_EQ(row.values.size(), table.columns.size());
  }
}

}  // namespace
}  // namespace prophet

// Densities at the nucleus, their errors, and what makes isomer shifts of them.
#include <gtest/gtest.h>

#include <cmath>

#include "atoms/properties/nuclear_region.hpp"
#include "with_spinors.hpp"

namespace prophet {
namespace {

std::string atom(const std::string& element, const std::string& config, const std::string& more = "") {
  return "$nuc znuc=" + element + " $end $electrons config='" + config + "' $end " + more;
}

struct Shift {
  std::string z, to, from;
  double difference;  // electrons/bohr^3
};

class IsomerShift : public testing::TestWithParam<Shift> {};

// The differences of well converged bases: 3e-6 of the density of iron, 5e-8 of that of mercury.
TEST_P(IsomerShift, ComesOutInDefaultBases) {
  const Shift& s = GetParam();
  const NuclearRegion to = test::computed(atom(s.z, s.to)).properties.nucleus;
  const NuclearRegion from = test::computed(atom(s.z, s.from)).properties.nucleus;
  EXPECT_NEAR((*to.density - *from.density) / s.difference, 1, 0.01) << *to.density - *from.density;
  EXPECT_LT(*to.densityError, 2e-6 * *to.density);
  EXPECT_GT(*to.densityError, 0);
}

INSTANTIATE_TEST_SUITE_P(Published, IsomerShift,
                         testing::Values(Shift{"26", "[Ar] 3d6 4s2", "[Ar] 3d6", 9.38},
                                         Shift{"26", "[Ar] 3d5", "[Ar] 3d6", 2.98},
                                         Shift{"50", "[Kr] 4d10 5s2 5p2", "[Kr] 4d10 5s2", -15.63},
                                         Shift{"80", "[Xe] 4f14 5d10 6s2", "[Xe] 4f14 5d10 6s1", 124.0}));

// The shape of spinors inside a nucleus is that of the nucleus, whatever their charge outside. 1.0121523: in
// ladders of ratio 1.5 up to 50 and 500 times the exponent of the nucleus.
TEST(NuclearDensity, RatioOfCentreAndMeanIsAConstantOfTheNucleus) {
  const NuclearRegion atom0 = test::computedLimit(atom("26", "[Ar] 3d6 4s2")).properties.nucleus;
  const NuclearRegion ion = test::computedLimit(atom("26", "[Ar] 3d6")).properties.nucleus;
  EXPECT_NEAR(*atom0.density / *atom0.meanDensity, 1.0121523, 1e-7);
  EXPECT_NEAR(*ion.density / *ion.meanDensity, 1.0121523, 1e-7);
  EXPECT_NEAR((*atom0.density - *ion.density) / 9.38, 1, 0.01);
}

TEST(NuclearDensity, LimitAndDefaultBasisAgree) {
  for (const char* model : {"sphere", "gaussian", "fermi"}) {
    const std::string zinc = std::string("$nuc znuc=30 nucmdl='") + model + "' $end";
    const NuclearRegion basis = test::computed(zinc).properties.nucleus;
    const NuclearRegion limit = test::computedLimit(zinc).properties.nucleus;
    EXPECT_NEAR(*basis.density / *limit.density, 1, 1e-6) << model;
    EXPECT_NEAR(*basis.meanDensity / *limit.meanDensity, 1, 1e-6) << model;
    EXPECT_NEAR(*basis.energySlope / *limit.energySlope, 1, 1e-6) << model;
  }
}

// One electron, so that no exchange is left out, in functions so steep and so close that they have the value
// at r = 0.
TEST(NuclearDensity, ExpansionIsThatOfTheFunctions) {
  Calculation calculation = test::calculationFrom(atom("80", "1s1"));
  BasisMethod& method = calculation.inBasis();
  method.keepSpinors = true;
  method.chosen = false;
  method.start.reset();
  std::vector<double>& exponents = method.basis.symmetries[0].exponents;
  exponents = {50};
  while (exponents.back() < 500 * calculation.problem.nucleus.exponent)
    exponents.push_back(1.5 * exponents.back());
  const Result result = compute(calculation, {1});
  const NuclearRegion nucleus = propertiesOf(calculation, result).nucleus;
  const double speed = calculation.problem.hamiltonian.speedOfLight;
  const double ratio = centreOverMean(calculation.problem.nucleus, Symmetry{-1}, -result.spinors[0].energy,
                                      1 / (speed * speed));
  EXPECT_NEAR(*nucleus.density / *nucleus.meanDensity / ratio, 1, 1e-7);
}

TEST(NuclearDensity, OfOnesOwnBasisIsThatOfTheBasis) {
  Calculation calculation = test::calculationFrom("$nuc znuc=10 $end");
  BasisMethod& method = calculation.inBasis();
  method.keepSpinors = true;
  method.chosen = false;
  method.start.reset();
  for (SymmetryBasis& s : method.basis.symmetries) s.exponents = {0.3, 1, 4, 16, 64, 256, 1024};
  const Result result = compute(calculation, {2});
  const Properties own = propertiesOf(calculation, result);
  const NuclearRegion atom0 = test::computed("$nuc znuc=10 $end").properties.nucleus;
  EXPECT_GT(std::abs(*own.nucleus.density - *atom0.density), 1.0);
  EXPECT_NEAR(*own.nucleus.densityError / std::abs(*own.nucleus.density - *atom0.density), 1, 1e-3);
  ASSERT_EQ(own.warnings.size(), 1u);
  EXPECT_EQ(own.warnings[0].id, "density_at_nucleus_poor");
  EXPECT_EQ(allWarnings(result, own).size(), result.warnings.size() + 1);
  EXPECT_TRUE(test::computed(atom("10", "[He] 2s2 2p6", "$bas library='universal' $end"))
                  .properties.warnings.empty());
}

TEST(NuclearDensity, LaddersOfChargesShareTheirExponents) {
  const auto ladder = [](const std::string& config) {
    const Calculation c = test::calculationFrom(atom("26", config));
    return referenceLadder(c.problem.nucleus, c.inBasis().basis).symmetries[0].exponents;
  };
  const std::vector<double> neutral = ladder("[Ar] 3d6 4s2"), ion = ladder("[Ar] 3d6");
  EXPECT_EQ(neutral.back(), ion.back());
  EXPECT_EQ(neutral[neutral.size() - 9], ion[ion.size() - 9]);
}

}  // namespace
}  // namespace prophet

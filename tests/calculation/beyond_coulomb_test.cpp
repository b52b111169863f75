#include "calculation/beyond_coulomb.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "calculation/calculation.hpp"
#include "common/error.hpp"
#include "input/parse_job.hpp"

namespace prophet {
namespace {

EnergyResult energyOf(const std::string& control, const std::string& rest) {
  const std::string text = "test\n$contrl " + control + " $end\n" + rest + "\n";
  const EnergyResult r = calculateEnergy(resolve(parseJob(text, "test.inp")), RunOptions{2});
  EXPECT_TRUE(r.scf.converged);
  return r;
}

double part(const EnergyResult& r, const std::string& name) {
  for (const EnergyCorrection& c : r.corrections) {
    if (c.name == name) return c.value;
  }
  ADD_FAILURE() << "no part " << name;
  return 0;
}

double total(const EnergyResult& r) { return totalWithCorrections(r.scf, r.corrections); }

/// Exponents alpha beta^(k-1) (1 + gamma (k/M)^delta), k = 1 ... count, as lines behind $bas.
std::string exponentLines(int count, int m) {
  std::string text = fmt::format("{}\n", count);
  for (int k = 1; k <= count; ++k) {
    text += fmt::format("{:.17g}\n", 0.09943 * std::pow(1.945, k - 1) *
                                         (1.0 + 1.392 * std::pow(static_cast<double>(k) / m, 4.988)));
  }
  return text;
}

/// The Ne row of tests/breit/breit_energies.csv, from the program x2camf.
const std::string& neon() {
  static const std::string kText = "$nuc znuc=10 nucmdl=3 $end\n$bas nsym=3 bastype='rdin' $end\n" +
                                   exponentLines(23, 23) + exponentLines(16, 23) + exponentLines(16, 23) +
                                   "$scf thdll=1d-7 thdsl=1d-8 $end";
  return kText;
}

TEST(BeyondCoulomb, NeonAgreesWithAnIndependentProgram) {
  const EnergyResult coulomb = energyOf("breit='none'", neon());
  EXPECT_NEAR(coulomb.scf.energy.total, -128.6919054395, 2e-9);
  EXPECT_TRUE(coulomb.corrections.empty());
  EXPECT_EQ(total(coulomb), coulomb.scf.energy.total);

  const EnergyResult gaunt = energyOf("breit='gaunt' breitscf=.true.", neon());
  EXPECT_NEAR(gaunt.scf.energy.total, -128.6743666520, 2e-9);
  ASSERT_EQ(gaunt.corrections.size(), 1u);
  EXPECT_TRUE(gaunt.corrections[0].selfConsistent);

  const EnergyResult breit = energyOf("breit='breit' breitscf=.true.", neon());
  EXPECT_NEAR(breit.scf.energy.total, -128.6752644110, 2e-9);
  EXPECT_EQ(total(breit), breit.scf.energy.total);
  EXPECT_EQ(breit.corrections.size(), 2u);
}

TEST(BeyondCoulomb, FirstOrderLeavesTheScfAloneAndIsCloseToTheSelfConsistentEnergy) {
  const EnergyResult first = energyOf("breit='breit'", neon());
  EXPECT_NEAR(first.scf.energy.total, -128.6919054395, 2e-9);
  EXPECT_FALSE(first.corrections.at(0).selfConsistent);
  EXPECT_NEAR(total(first), first.scf.energy.total + part(first, "Gaunt") + part(first, "Breit gauge"),
              1e-12);
  // The rest is relaxation: negative, of second order.
  const double relaxation = -128.6752644110 - total(first);
  EXPECT_LT(relaxation, 0.0);
  EXPECT_GT(relaxation, -1e-3 * (part(first, "Gaunt") + part(first, "Breit gauge")));
}

/// Retardation is a small part of the interaction; open shells and symmetries without electrons are welcome.
TEST(BeyondCoulomb, FrequencyDependentBreit) {
  const EnergyResult moving = energyOf("breit='breit' breitfreq=t", neon());
  EXPECT_NEAR(part(moving, "Gaunt"), 0.0175353977, 2e-9);
  EXPECT_NEAR(part(moving, "Breit gauge"), -0.0008955283, 2e-9);
  const std::string carbon =
      "$nuc znuc=6 $end\n$bas nsym=5 bastype='wtbs' $end\n"
      "$wtbs wtbspara=0.05,2,4,1.3 nbs=18,12,12,6,6 $end";
  const EnergyResult open = energyOf("breit='breit' breitfreq=t", carbon),
                     still = energyOf("breit='breit'", carbon);
  EXPECT_NE(part(open, "Gaunt"), part(still, "Gaunt"));
  EXPECT_NEAR(part(open, "Gaunt") / part(still, "Gaunt"), 1.0, 1e-3);
}

/// The same first-order energy from the spinors of stored integrals.
TEST(BeyondCoulomb, FirstOrderWithStoredIntegrals) {
  const std::string nucleus = "$nuc znuc=10 $end\n", scf = "$scf thdll=1d-7 thdsl=1d-8 fock='";
  const EnergyResult grid = energyOf("breit='breit' qedse='inner' qedscf=t", nucleus + scf + "grid' $end");
  const EnergyResult stored =
      energyOf("breit='breit' qedse='inner' qedscf=t", nucleus + scf + "stored' $end");
  EXPECT_NEAR(total(stored), total(grid), 1e-9);
  EXPECT_NEAR(part(stored, "Gaunt"), part(grid, "Gaunt"), 1e-9);
}

TEST(BeyondCoulomb, SelfConsistentBreitNeedsTheGrid) {
  Calculation c = resolve(parseJob("t\n$contrl breit='breit' breitscf=t $end $nuc znuc=10 $end", "t.inp"));
  c.fock = FockKind::Stored;
  EXPECT_THROW(calculateEnergy(c, RunOptions{1}), Error);
}

/// Lithium-like uranium, where all parts are large: each is there once, first order or in the SCF.
TEST(BeyondCoulomb, QedPartsAddUp) {
  const std::string uranium =
      "$nuc znuc=92 nucmdl=4 $end\n$bas nsym=1 bastype='wtbs' $end\n"
      "$wtbs wtbspara=10.0,1.9,1.0,0.0 nbs=34 $end\n$seconfig config='1s2 2s1' $end";
  const std::string qed = "breit='breit' qedvp='full' qedse='inner'";
  const EnergyResult bare = energyOf("breit='none'", uranium), first = energyOf(qed, uranium),
                     relaxed = energyOf(qed + " breitscf=t qedscf=t", uranium);
  EXPECT_NEAR(part(first, "Gaunt") + part(first, "Breit gauge"), 13.3645, 1e-4);
  EXPECT_NEAR(part(first, "vacuum polarisation"), -7.3964, 1e-3);
  EXPECT_NEAR(part(first, "vacuum polarisation") + part(first, "Kallen-Sabry"), -7.453, 1e-3);
  EXPECT_GT(part(first, "Wichmann-Kroll"), 0.0);
  EXPECT_NEAR(part(first, "self-energy"), 28.086, 5e-3);

  const auto sum = [](const EnergyResult& r) {
    double value = 0;
    for (const EnergyCorrection& c : r.corrections) value += c.value;
    return value;
  };
  ASSERT_EQ(first.corrections.size(), 6u);
  ASSERT_EQ(relaxed.corrections.size(), 6u);
  EXPECT_EQ(first.scf.energy.total, bare.scf.energy.total);
  EXPECT_NEAR(total(first), bare.scf.energy.total + sum(first), 1e-9);
  EXPECT_EQ(total(relaxed), relaxed.scf.energy.total);
  // To second order E = E_0 + E_1 + x and <V> = E_1 + 2x with x < 0.
  const double x = total(relaxed) - total(first);
  EXPECT_LT(x, 0.0);
  EXPECT_NEAR(sum(relaxed) - sum(first), 2.0 * x, 0.05 * std::abs(x));
  for (const EnergyCorrection& c : relaxed.corrections) EXPECT_TRUE(c.selfConsistent) << c.name;
}

/// Breit in the field, QED on top of it.
TEST(BeyondCoulomb, MixedTreatment) {
  const EnergyResult r = energyOf("breit='breit' breitscf=t qedvp='uehling'", "$nuc znuc=54 $end");
  ASSERT_EQ(r.corrections.size(), 3u);
  EXPECT_TRUE(r.corrections[0].selfConsistent && r.corrections[1].selfConsistent);
  EXPECT_FALSE(r.corrections[2].selfConsistent);
  EXPECT_EQ(total(r), r.scf.energy.total + part(r, "vacuum polarisation"));
}

TEST(VerifyGrid, WithBreitAndQed) {
  const GridCheck check = verifyGrid(
      resolve(parseJob("t\n$contrl breit='breit' breitscf=t qedse='inner' qedscf=t $end $nuc znuc=24 $end",
                       "t.inp")),
      RunOptions{2});
  EXPECT_NEAR(check.finerEnergy / check.energy, 1.0, 1e-11);
  EXPECT_FALSE(check.analyticEnergy.has_value());
  EXPECT_EQ(check.whyNotAnalytic, "they have no Breit interaction");
}

}  // namespace
}  // namespace prophet

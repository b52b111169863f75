#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/common/error.hpp"
#include "from_text.hpp"

namespace prophet {
namespace {

using test::calculationFrom;
using Id = EnergyPartId;

/// Every part stands once, and the parts of every total add up to it.
void expectPartsAddUp(const EnergyBreakdown& energy) {
  double inField = 0, all = 0;
  std::set<Id> seen;
  for (const EnergyPart& part : energy.parts) {
    EXPECT_TRUE(seen.insert(part.id).second) << keyOf(part.id);
    all += part.value;
    if (part.treatment == Treatment::SelfConsistent) inField += part.value;
  }
  EXPECT_NEAR(inField, energy.total, 1e-13 * std::abs(energy.value(Id::NuclearAttraction)));
  EXPECT_NEAR(all, energy.withCorrections(), 1e-13 * std::abs(energy.value(Id::NuclearAttraction)));
}

EnergyBreakdown energyOf(const std::string& control, const std::string& rest) {
  const Result r = compute(calculationFrom("$contrl " + control + " $end\n" + rest), {2});
  EXPECT_TRUE(r.ok()) << r.reason;
  expectPartsAddUp(r.energy);
  return r.energy;
}

double part(const EnergyBreakdown& energy, Id id) {
  EXPECT_TRUE(energy.has(id)) << "no part " << keyOf(id);
  return energy.value(id);
}

std::size_t corrections(const EnergyBreakdown& energy) { return correctionsOf(energy).size(); }

bool selfConsistent(const EnergyBreakdown& energy, Id id) {
  return energy.has(id) && energy.find(id)->treatment == Treatment::SelfConsistent;
}

/// Exponents alpha beta^(k-1) (1 + gamma (k/M)^delta), k = 1 ... count, as lines behind $bas.
std::string exponentLines(int count, int m) {
  std::string text = fmt::format("{}\n", count);
  for (int k = 1; k <= count; ++k) {
    text += fmt::format("{:.17g}\n", 0.09943 * std::pow(1.945, k - 1) *
                                         (1.0 + 1.392 * std::pow(static_cast<double>(k) / m, 4.988)));
  }
  return text;
}

/// The Ne row of tests/atoms/breit/breit_energies.csv, from the program x2camf.
const std::string& neon() {
  static const std::string kText = "$nuc znuc=10 nucmdl=3 $end\n$bas nsym=3 bastype='rdin' $end\n" +
                                   exponentLines(23, 23) + exponentLines(16, 23) + exponentLines(16, 23) +
                                   "$scf thdll=1d-7 thdsl=1d-8 $end";
  return kText;
}

TEST(BeyondCoulomb, NeonAgreesWithAnIndependentProgram) {
  const EnergyBreakdown coulomb = energyOf("breit='none'", neon());
  EXPECT_NEAR(coulomb.total, -128.6919054395, 2e-9);
  EXPECT_EQ(corrections(coulomb), 0u);
  EXPECT_EQ(coulomb.withCorrections(), coulomb.total);

  const EnergyBreakdown gaunt = energyOf("breit='gaunt' breitscf=.true.", neon());
  EXPECT_NEAR(gaunt.total, -128.6743666520, 2e-9);
  EXPECT_EQ(corrections(gaunt), 1u);
  EXPECT_TRUE(selfConsistent(gaunt, Id::Gaunt));

  const EnergyBreakdown breit = energyOf("breit='breit' breitscf=.true.", neon());
  EXPECT_NEAR(breit.total, -128.6752644110, 2e-9);
  EXPECT_EQ(breit.withCorrections(), breit.total);
  EXPECT_EQ(corrections(breit), 2u);
}

TEST(BeyondCoulomb, FirstOrderLeavesTheScfAloneAndIsCloseToTheSelfConsistentEnergy) {
  const EnergyBreakdown first = energyOf("breit='breit'", neon());
  EXPECT_NEAR(first.total, -128.6919054395, 2e-9);
  EXPECT_FALSE(selfConsistent(first, Id::Gaunt));
  EXPECT_NEAR(first.withCorrections(), first.total + part(first, Id::Gaunt) + part(first, Id::BreitGauge),
              1e-12);
  // The rest is relaxation: negative, of second order.
  const double relaxation = -128.6752644110 - first.withCorrections();
  EXPECT_LT(relaxation, 0.0);
  EXPECT_GT(relaxation, -1e-3 * (part(first, Id::Gaunt) + part(first, Id::BreitGauge)));
}

/// Retardation is a small part of the interaction; open shells and symmetries without electrons are covered.
TEST(BeyondCoulomb, FrequencyDependentBreit) {
  const EnergyBreakdown moving = energyOf("breit='breit' breitfreq=t", neon());
  EXPECT_NEAR(part(moving, Id::Gaunt), 0.0175353977, 2e-9);
  EXPECT_NEAR(part(moving, Id::BreitGauge), -0.0008955283, 2e-9);
  const std::string carbon =
      "$nuc znuc=6 $end\n$bas nsym=5 bastype='wtbs' $end\n"
      "$wtbs wtbspara=0.05,2,4,1.3 nbs=18,12,12,6,6 $end";
  const EnergyBreakdown open = energyOf("breit='breit' breitfreq=t", carbon),
                        still = energyOf("breit='breit'", carbon);
  EXPECT_NE(part(open, Id::Gaunt), part(still, Id::Gaunt));
  EXPECT_NEAR(part(open, Id::Gaunt) / part(still, Id::Gaunt), 1.0, 1e-3);
}

/// The same first-order energy from the spinors of stored integrals.
TEST(BeyondCoulomb, FirstOrderWithStoredIntegrals) {
  const std::string nucleus = "$nuc znuc=10 $end\n", scf = "$scf thdll=1d-7 thdsl=1d-8 fock='";
  const EnergyBreakdown grid = energyOf("breit='breit' qedse='inner' qedscf=t", nucleus + scf + "grid' $end");
  const EnergyBreakdown stored =
      energyOf("breit='breit' qedse='inner' qedscf=t", nucleus + scf + "stored' $end");
  EXPECT_NEAR(stored.withCorrections(), grid.withCorrections(), 1e-9);
  EXPECT_NEAR(part(stored, Id::Gaunt), part(grid, Id::Gaunt), 1e-9);
}

TEST(BeyondCoulomb, SelfConsistentBreitNeedsTheGrid) {
  Calculation c = calculationFrom("$contrl breit='breit' breitscf=t $end $nuc znuc=10 $end");
  c.inBasis().fock = FockKind::Stored;
  EXPECT_THROW(compute(c), Error);
}

/// Lithium-like uranium, where all parts are large: each is there once, first order or in the SCF.
TEST(BeyondCoulomb, QedPartsAddUp) {
  const std::string uranium =
      "$nuc znuc=92 nucmdl=4 $end\n$bas nsym=1 bastype='wtbs' $end\n"
      "$wtbs wtbspara=10.0,1.9,1.0,0.0 nbs=34 $end\n$seconfig config='1s2 2s1' $end";
  const std::string qed = "breit='breit' qedvp='full' qedse='inner'";
  const EnergyBreakdown bare = energyOf("breit='none'", uranium), first = energyOf(qed, uranium),
                        relaxed = energyOf(qed + " breitscf=t qedscf=t", uranium);
  EXPECT_NEAR(part(first, Id::Gaunt) + part(first, Id::BreitGauge), 13.3645, 1e-4);
  EXPECT_NEAR(part(first, Id::VacuumPolarisation), -7.3964, 1e-3);
  EXPECT_NEAR(part(first, Id::VacuumPolarisation) + part(first, Id::KallenSabry), -7.453, 1e-3);
  EXPECT_GT(part(first, Id::WichmannKroll), 0.0);
  EXPECT_NEAR(part(first, Id::SelfEnergy), 28.086, 5e-3);

  const auto sum = [](const EnergyBreakdown& r) {
    double value = 0;
    for (const EnergyPart& c : correctionsOf(r)) value += c.value;
    return value;
  };
  EXPECT_EQ(corrections(first), 6u);
  EXPECT_EQ(corrections(relaxed), 6u);
  EXPECT_EQ(first.total, bare.total);
  EXPECT_NEAR(first.withCorrections(), bare.total + sum(first), 1e-9);
  EXPECT_EQ(relaxed.withCorrections(), relaxed.total);
  // To second order E = E_0 + E_1 + x and <V> = E_1 + 2x with x < 0.
  const double x = relaxed.withCorrections() - first.withCorrections();
  EXPECT_LT(x, 0.0);
  EXPECT_NEAR(sum(relaxed) - sum(first), 2.0 * x, 0.05 * std::abs(x));
  for (const EnergyPart& c : relaxed.parts) EXPECT_EQ(c.treatment, Treatment::SelfConsistent) << keyOf(c.id);
}

/// Breit in the field, QED on top of it.
TEST(BeyondCoulomb, MixedTreatment) {
  const EnergyBreakdown r = energyOf("breit='breit' breitscf=t qedvp='uehling'", "$nuc znuc=54 $end");
  EXPECT_EQ(corrections(r), 3u);
  EXPECT_TRUE(selfConsistent(r, Id::Gaunt) && selfConsistent(r, Id::BreitGauge));
  EXPECT_FALSE(selfConsistent(r, Id::VacuumPolarisation));
  EXPECT_EQ(r.withCorrections(), r.total + part(r, Id::VacuumPolarisation));
}

TEST(VerifyGrid, WithBreitAndQed) {
  const GridCheck check = verifyGrid(
      calculationFrom("$contrl breit='breit' breitscf=t qedse='inner' qedscf=t $end $nuc znuc=24 $end"), 2);
  EXPECT_NEAR(check.finerEnergy / check.energy, 1.0, 1e-11);
  EXPECT_FALSE(check.analyticEnergy.has_value());
  EXPECT_EQ(check.whyNotAnalytic, "they have no Breit interaction");
}

}  // namespace
}  // namespace prophet

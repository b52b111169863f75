#include <gtest/gtest.h>

#include "core/common/constants.hpp"
#include "from_text.hpp"

namespace prophet {
namespace {

using test::calculationFrom;

/// Hartree; with `control` in $contrl.
double energyOfLevel(const std::string& element, const std::string& electrons,
                     const std::string& control = "") {
  const Result r = compute(calculationFrom("$contrl " + control + " $end $nuc z='" + element +
                                           "' $end $electrons " + electrons + " $end"));
  EXPECT_TRUE(r.ok()) << element << ' ' << electrons << ' ' << r.reason;
  return r.energy.withCorrections();
}

/// Of two states of thallium with a single electron in 6p, cm^-1.
double thalliumSplitting(const std::string& control) {
  const std::string core = "[Xe] 4f14 5d10 6s2 ";
  return (energyOfLevel("Tl", "config='" + core + "6p3/2'", control) -
          energyOfLevel("Tl", "config='" + core + "6p1/2:1'", control)) *
         constants::kInverseCentimetresPerHartree;
}

/// Difference of two holes in 2p, eV: L2 against L3.
double splittingOfL(const std::string& element, const std::string& core, const std::string& control = "") {
  const std::string config = "config='" + core + "' ";
  return (energyOfLevel(element, config + "hole='2p1/2'", control) -
          energyOfLevel(element, config + "hole='2p3/2'", control)) *
         constants::kElectronvoltsPerHartree;
}

/// Dirac-Hartree-Fock without Breit; experiment (with correlation) has 7793.
TEST(JConfigurations, FineStructureOfThallium) { EXPECT_NEAR(thalliumSplitting(""), 7683, 10); }
TEST(JConfigurations, FineStructureOfThalliumAtTheLimit) {
  EXPECT_NEAR(thalliumSplitting("jobtype='limit'"), 7683, 10);
}

/// The same states as lists of closed and open spinors.
TEST(JConfigurations, AreThoseOfSpinorLists) {
  EXPECT_NEAR(energyOfLevel("Tl", "config='[Xe] 4f14 5d10 6s2 6p3/2'"),
              energyOfLevel("Tl", "closed=6,4,4,3,3,1,1 open=0,0,1 freel=1"), 1e-8);
}

/// Photoelectron spectra: 2.15 eV (Ar), 52.5 eV (Kr; 1730.9 and 1678.4), 320 eV (Xe; 5107.2 and 4786.5,
/// x-ray absorption edges, Bearden and Burr, Rev. Mod. Phys. 39, 125 (1967)). With the Breit interaction.
TEST(JConfigurations, HolesIn2pOfNobleGases) {
  EXPECT_NEAR(splittingOfL("Ar", "[Ar]", "breit='breit'"), 2.15, 0.05);
  EXPECT_NEAR(splittingOfL("Kr", "[Kr]", "breit='breit'"), 52.5, 0.8);
  EXPECT_NEAR(splittingOfL("Xe", "[Xe]", "breit='breit'"), 320.7, 4);
}

/// Open spinors below closed ones, in a basis and at the limit.
TEST(JConfigurations, HolesAreTheSameInABasisAndAtTheLimit) {
  for (const char* hole : {"1s", "2p1/2", "2p3/2"}) {
    const std::string electrons = std::string("config='[Ar]' hole='") + hole + "'";
    const double limit = energyOfLevel("Ar", electrons, "jobtype='limit'"),
                 basis = energyOfLevel("Ar", electrons);
    EXPECT_NEAR(basis, limit, 3e-6) << hole;  // 5e-9 of the energy
    EXPECT_GT(basis, limit - 1e-9) << hole;
  }
}

/// Every distribution of two electrons over the spinors of 2p, weighted by its determinants, is the average
/// over the shell: at fixed spinors, so that the energies of relaxed ones lie below it.
TEST(JConfigurations, LieAboutTheAverage) {
  const double average = energyOfLevel("C", "config='[He] 2s2 2p2'");
  const double weighted = (energyOfLevel("C", "config='[He] 2s2 2p1/2:2'") +
                           8 * energyOfLevel("C", "config='[He] 2s2 2p1/2 2p3/2'") +
                           6 * energyOfLevel("C", "config='[He] 2s2 2p3/2:2'")) /
                          15;
  EXPECT_LT(weighted, average + 1e-8);
  EXPECT_NEAR(weighted, average, 1e-4);
}

TEST(JConfigurations, NeedSpinOrbitCoupling) {
  EXPECT_THROW(energyOfLevel("C", "config='[He] 2s2 2p1/2:2'", "hamiltonian='nonrel'"), Error);
}

}  // namespace
}  // namespace prophet

#include "atoms/levels/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/atoms/levels/reference_cases.hpp"

namespace prophet {
namespace {

std::map<std::string, Result>& keptLimits() {
  static std::map<std::string, Result> kept;
  return kept;
}

class LevelsOfGrasp : public testing::TestWithParam<const char*> {};

TEST_P(LevelsOfGrasp, AgreeWithAndWithoutBreit) {
  int compared = 0;
  for (const ReferenceCase& c : referenceCases()) {
    if (c.name != GetParam()) continue;
    ++compared;
    EXPECT_EQ(differenceFrom(c, levelsOf(c, keptLimits())), "");
  }
  EXPECT_EQ(compared, 2);
}

// One and two open shells, two configurations with two open spinors of one symmetry, strong fields.
INSTANTIATE_TEST_SUITE_P(Levels, LevelsOfGrasp,
                         testing::Values("C_2p2", "Be_2s2_2s2p", "C_2s22p2+2p4", "Ne_2p5_3s",
                                         "Fe16+_2p6_2p53s_2p53d", "Cr_3d5_4s", "Pr3+_4f2", "U90+_1s2p"));

LevelResult levelsOf(const std::string& configurations, double z) {
  ReferenceCase c{configurations, configurations, "DCB", z, {}};
  return levelsOf(c, keptLimits());
}

TEST(Levels, TheirMeanIsTheEnergyOfTheAverage) {
  for (const auto& [text, z] :
       {std::pair("1s2 2s2 2p3", 7.0), {"1s2 2s2 2p3 3p1", 8.0}, {"[Ne] 3s1 3p1 3d1", 15.0}}) {
    const LevelSpace space = levelSpace(text);
    Nucleus nucleus;
    nucleus.charge = z;
    const Result limit = limitOf(space, nucleus);
    LevelHamiltonian hamiltonian;
    hamiltonian.field = {nucleus, 137.03599976, {}};
    const LevelResult levels = computeLevels(space, limit, hamiltonian);
    EXPECT_NEAR(levels.average, limit.energy.total, 1e-12 * std::abs(levels.average)) << text;
    double sum = 0, states = 0;
    for (const Level& l : levels.levels) {
      sum += (l.twoJ + 1) * l.energy;
      states += l.twoJ + 1;
    }
    EXPECT_NEAR(sum / states, levels.average, 1e-12 * std::abs(levels.average)) << text;
    EXPECT_EQ(states, space.states()) << text;
  }
}

TEST(Levels, TermsAddUpAndTheirLandeFactorsToo) {
  const LevelResult levels = levelsOf("1s2 2s2 2p3 3p1", 8);
  for (const Level& l : levels.levels) {
    double percent = 0, g = 0;
    for (const LevelPart& t : l.terms) {
      percent += t.percent;
      const double s = 0.5 * (std::stoi(t.name) - 1), j = 0.5 * l.twoJ;
      const double orbital = std::string("SPDFGHI").find(t.name[1]);
      if (j > 0)
        g += 0.01 * t.percent *
             (1 + (j * (j + 1) + s * (s + 1) - orbital * (orbital + 1)) / (2 * j * (j + 1)));
    }
    EXPECT_NEAR(percent, 100, 0.3) << l.label;  // parts below 0.05 % are not listed
    if (l.twoJ > 0) {
      EXPECT_NEAR(g, l.g, 4e-3) << l.label;
    }
  }
}

TEST(Levels, OfOneElectronAreThoseOfDirac) {
  const LevelResult levels = levelsOf("1s1 | 2s1 | 2p1", 50);
  const double c = 137.03599976, gamma = std::sqrt(1 - 2500 / (c * c));
  const double ground = c * c * (gamma - 1);
  EXPECT_NEAR(levels.levels[0].energy, ground, 1e-9);
  EXPECT_NEAR(levels.levels[0].g, 2.0 / 3 * (1 + 2 * gamma), 1e-9);  // Breit (1928)
}

}  // namespace
}  // namespace prophet

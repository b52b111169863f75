#include "atoms/levels/levels.hpp"

#include <gtest/gtest.h>

#include <set>

#include <algorithm>
#include <random>

#include "atoms/levels/determinant_space.hpp"
#include "atoms/levels/term_analysis.hpp"
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

TEST(Levels, NameWhatIsWrong) {
  EXPECT_THROW(levelSpace("1s2 2s2 2p2 | 1s2 2s2 2p3"), Error);
  EXPECT_THROW(levelSpace("1s2 2p2 | 1s2 2p2"), Error);
  EXPECT_THROW(levelSpace("1s1 2s1 2p1 3s1 3p1 3d1 4s1 4p1 4d1 4f1 5d1"), Error);
}

TEST(LevelSpace, AveragesOverAllStates) {
  // Ten states of 2s 2p and one of 2s2.
  const LevelSpace space = levelSpace("1s2 2s2 | 1s2 2s1 2p1");
  EXPECT_EQ(space.states(), 13);
  EXPECT_NEAR(space.average.occupation(0, 1), (2 + 12) / 13.0, 1e-14);
  EXPECT_NEAR(space.average.occupation(2, 0), 8 / 13.0, 1e-14);
  EXPECT_NEAR(space.average.electrons(), 4, 1e-14);
  // A single configuration is averaged as parseConfiguration does.
  const LevelSpace single = levelSpace("[Ar] 3d6 4s1");
  const Configuration same = parseConfiguration("[Ar] 3d6 4s1");
  EXPECT_TRUE(single.average.openPairWeights.isApprox(same.openPairWeights, 1e-14));
}

TEST(CoupledStates, AreAsManyAsTheirJAllowsAndOrthonormal) {
  std::mt19937 random(7);
  const LevelSpace space = levelSpace("[Kr] 4d3 5p2 6s1");
  double states = 0;
  for (int twoJ = 0; twoJ <= 21; ++twoJ) {
    int count = 0;
    for (const RelativisticConfiguration& row : space.distributions) {
      const auto list = coupledStates(space.open, row.electrons, twoJ);
      count += static_cast<int>(list.size());
      if (list.size() < 2) continue;
      const auto dot = [&](const CoupledState& a, const CoupledState& b) {
        std::map<Determinant, double> values(a.terms.begin(), a.terms.end());
        double sum = 0;
        for (const auto& [d, x] : b.terms) sum += x * (values.contains(d) ? values[d] : 0.0);
        return sum;
      };
      const std::size_t i = random() % list.size(), j = random() % list.size();
      EXPECT_NEAR(dot(list[i], list[i]), 1, 1e-12);
      EXPECT_NEAR(dot(list[i], list[j]), i == j ? 1 : 0, 1e-12);
    }
    states += (twoJ + 1) * count;
  }
  EXPECT_EQ(states, space.states());
}

/// Labels need no radial functions. Of three intermediate terms sums of eigenvalues once coincided.
TEST(Terms, OfFiveOpenElectronsInFourShellsAreToldApart) {
  const LevelSpace space = levelSpace("1s2 2s2 2p6 3s2 3p6 3d10 4f1 5d2 6s1 6p1");
  const std::vector<Place> places = placesOf(space);
  const TermAnalysis analysis(space, places);
  for (const int twoJ : {1, 3, 15, 21}) {
    const LevelBlock block = blockOf(space, twoJ, space.configurations.front().odd);
    const std::vector<TermStates> terms = analysis.of(block);
    ASSERT_EQ(terms.size(), 1u);
    std::set<std::string> labels(terms[0].labels.begin(), terms[0].labels.end());
    EXPECT_EQ(labels.size(), static_cast<std::size_t>(block.size())) << twoJ;
  }
}

}  // namespace
}  // namespace prophet

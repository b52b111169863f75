#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/configurations/coupled_states.hpp"
#include "atoms/configurations/determinant_space.hpp"
#include "atoms/configurations/excitations.hpp"
#include "atoms/configurations/level_count.hpp"
#include "atoms/configurations/level_space.hpp"
#include "atoms/configurations/term_analysis.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

TEST(LevelSpace, NamesWhatIsWrong) {
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

std::vector<std::string> textsOf(const std::string& references, const ExcitationRequest& request) {
  std::vector<std::string> texts;
  for (const std::string& text : split(excitedConfigurations(references, request).text, '|'))
    texts.push_back(trimmed(text));
  return texts;
}

TEST(Excitations, AreAllOfThemOnceAndKeepParity) {
  EXPECT_EQ(textsOf("1s2 2s2", {"2p", "", 2}), (std::vector<std::string>{"1s2 2s2", "[He] 2p2"}));
  EXPECT_EQ(textsOf("[He] 2s1 2p1", {"3s", "", 1}),
            (std::vector<std::string>{"[He] 2s1 2p1", "[He] 2p1 3s1"}));
  // Out of 2s and 2p into 2p, where it has room, and 3s: 2p4, 2s 2p2 3s, 2s2 3s2, 2p2 3s2 and 2s2 2p2.
  std::vector<std::string> carbon = textsOf("[He] 2s2 2p2", {"3s", "", 2});
  EXPECT_EQ(carbon.front(), "[He] 2s2 2p2");
  std::sort(carbon.begin(), carbon.end());
  EXPECT_EQ(carbon, (std::vector<std::string>{"[He] 2p2 3s2", "[He] 2p4", "[He] 2s1 2p2 3s1", "[He] 2s2 2p2",
                                              "[He] 2s2 3s2"}));
  EXPECT_EQ(textsOf("[He] 2s2 2p2", {"3s", "2p", 2}).size(), 2U);
  // One electron of 2p reaches 3p alone.
  const ExcitedConfigurations single = excitedConfigurations("[He] 2s2 2p2", {"3s 3p 3d", "2p", 1});
  EXPECT_EQ(single.text, "[He] 2s2 2p2 | [He] 2s2 2p1 3p1");
  EXPECT_EQ(single.virtuals, (std::vector<ShellName>{{3, 1}}));
  // Two references that lead to the same configurations.
  EXPECT_EQ(textsOf("[He] 2s2 | [He] 2p2", {"3s", "", 2}).size(), 4U);
}

TEST(Excitations, NameWhatIsWrong) {
  const auto setting = [](const ExcitationRequest& request) {
    try {
      excitedConfigurations("[He] 2s2 2p2", request);
    } catch (const ExcitationError& error) {
      return error.setting;
    }
    return std::string();
  };
  EXPECT_EQ(setting({"2p", "", 2}), "virtuals");
  EXPECT_EQ(setting({"3x", "", 2}), "virtuals");
  EXPECT_EQ(setting({"2d", "", 2}), "virtuals");
  EXPECT_EQ(setting({"3s 3s", "", 2}), "virtuals");
  EXPECT_EQ(setting({" ", "", 2}), "virtuals");
  EXPECT_EQ(setting({"3s", "2p", 1}), "virtuals");  // parity
  EXPECT_EQ(setting({"3s", "3p", 2}), "excited");
  EXPECT_EQ(setting({"3s", "2p", 2}), "");
  EXPECT_THROW(excitedConfigurations("[He] 2s2 2p1/2:2", {"3s", "", 2}), ExcitationError);
}

TEST(Excitations, RulesMakeConfigurationsOneAfterTheOther) {
  EXPECT_EQ(configurationsByRules("4f4 6s1", "6s->5d,6p; 4f->5d,6s"),
            "4f4 6s1 | 4f4 5d1 | 4f4 6p1 | 4f3 5d1 6s1 | 4f3 6s2 | 4f3 5d2 | 4f3 5d1 6p1 | 4f3 6s1 6p1");
  // Full shells and those without electrons are passed over.
  EXPECT_EQ(configurationsByRules("2s2 | 2p2", "2p->2s; 2s->3s"), "2s2 | 2p2 | 2s1 2p1 | 2s1 3s1 | 2p1 3s1");
  for (const char* rules : {"", "4f", "4f->", "->5d", "4f->5x", "4f 5d->6s", "3d->4s", "2s->2s"})
    EXPECT_THROW(configurationsByRules("2s2", rules), ExcitationError) << rules;
}

// docs/how-to/lines.md has the rule.
TEST(Excitations, OfTheValenceShellsMakeThoseNearTheGround) {
  EXPECT_EQ(valenceConfigurations(60, "[Xe] 4f4"), "[Xe] 4f4 | [Xe] 4f3 5d1 | [Xe] 4f3 6s1 | [Xe] 4f3 6p1");
  EXPECT_EQ(valenceConfigurations(26, "[Ar] 3d6 4s1"),
            "[Ar] 3d6 4s1 | [Ar] 3d5 4s2 | [Ar] 3d7 | [Ar] 3d6 4p1 | [Ar] 3d5 4s1 4p1");
  EXPECT_EQ(valenceConfigurations(22, "[Ar] 3d2 4s2"),
            "[Ar] 3d2 4s2 | [Ar] 3d3 4s1 | [Ar] 3d4 | [Ar] 3d2 4s1 4p1 | [Ar] 3d3 4p1");
  EXPECT_EQ(valenceConfigurations(36, "[Kr]"), "[Kr] | [Ar] 3d10 4s1 4p6 4d1 | [Ar] 3d10 4s2 4p5 4d1");
  // Too many levels: the f shell keeps its electrons, and then the ground configuration alone reaches p.
  EXPECT_EQ(valenceConfigurations(64, "[Xe] 4f7 5d1 6s1"),
            "[Xe] 4f7 5d1 6s1 | [Xe] 4f8 6s1 | [Xe] 4f7 6s2 | [Xe] 4f8 5d1 | [Xe] 4f7 5d2 | "
            "[Xe] 4f7 5d1 6p1 | [Xe] 4f8 6p1 | [Xe] 4f7 6s1 6p1");
  EXPECT_EQ(valenceConfigurations(64, "[Xe] 4f7 5d1 6s2"),
            "[Xe] 4f7 5d1 6s2 | [Xe] 4f8 6s2 | [Xe] 4f8 5d1 6s1 | [Xe] 4f7 5d2 6s1 | [Xe] 4f7 5d1 6s1 6p1");
  // Without valence electrons the outermost shell gives one.
  EXPECT_EQ(valenceConfigurations(57, "[Xe]"),
            "[Xe] | [Kr] 4d10 4f1 5s2 5p5 | [Kr] 4d10 5s2 5p5 5d1 | [Kr] 4d10 5s2 5p5 6s1");
  EXPECT_EQ(valenceConfigurations(49, "[Kr] 4d10"), "[Kr] 4d10 | [Kr] 4d9 5s1 | [Kr] 4d9 5p1");
  EXPECT_FALSE(hasValenceRule(19, 0));
  EXPECT_FALSE(hasValenceRule(26, 4));
  int single = 0;
  for (int z = 20; z <= 103; ++z)
    for (int charge = 0; charge <= 3; ++charge) {
      const std::string ground = defaultConfiguration(z, charge).text;
      const LevelSpace space =
          levelSpace(valenceConfigurations(z, ground));  // throws where one is there twice
      EXPECT_NEAR(space.average.electrons(), z - charge, 1e-9) << z << " " << charge;
      EXPECT_LE(space.configurations.size(), 13u) << z << " " << charge;
      EXPECT_LE(countLevels(space).levels, 75000) << z << " " << charge;
      const auto odd = std::ranges::count_if(space.configurations, [](const auto& c) { return c.odd; });
      single += odd == 0 || odd == std::ssize(space.configurations) ? 1 : 0;
    }
  EXPECT_EQ(single, 0);  // all have E1 lines
}

}  // namespace
}  // namespace prophet

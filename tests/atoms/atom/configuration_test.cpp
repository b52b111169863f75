#include "atoms/atom/configuration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "csv.hpp"

namespace prophet {
namespace {

double g(int symmetry) { return Symmetry::fromIndex(symmetry).degeneracy(); }

/// Between the open spinors of two symmetries, each with one.
double pairWeight(const Configuration& c, int a, int b) {
  return c.openPairWeights(c.firstOpen(a), c.firstOpen(b));
}
double reduction(const Configuration& c, int a, int b) {
  return c.openReduction()(c.firstOpen(a), c.firstOpen(b));
}

/// Expected closed form for one non-relativistic shell: w_ab = g_a g_b q(q-1)/(M(M-1)).
void expectShell(const Configuration& c, int l, int q) {
  const double m = 4 * l + 2;
  const int first = l == 0 ? 0 : 2 * l - 1;
  for (int a = first; a <= 2 * l; ++a) {
    ASSERT_TRUE(c.symmetries[a].open());
    EXPECT_NEAR(c.symmetries[a].openElectrons(), g(a) * q / m, 1e-14);
    for (int b = first; b <= 2 * l; ++b)
      EXPECT_NEAR(pairWeight(c, a, b), g(a) * g(b) * q * (q - 1) / (m * (m - 1)), 1e-13)
          << "l=" << l << " q=" << q << " " << a << b;
  }
}

// The list of relativistic distributions, weighted by determinants, must give the closed form of the shell.
TEST(Configuration, AllDistributionsOfOneShellGiveTheClosedForm) {
  for (int l = 0; l <= 4; ++l)
    for (int q = 1; q < 4 * l + 2; ++q) {
      std::vector<bool> open(2 * l + 1, false);
      open[2 * l] = true;
      if (l > 0) open[2 * l - 1] = true;
      const auto c =
          averageConfigurations(std::vector<int>(2 * l + 1, 0), open, allDistributions(open, q), "test");
      expectShell(c, l, q);
      EXPECT_NEAR(c.electrons(), q, 1e-13);
    }
}

TEST(Configuration, ParsedShellsUseTheClosedForm) {
  expectShell(parseConfiguration("1s2 2s2 2p2"), 1, 2);
  expectShell(parseConfiguration("[Ar] 3d6 4s2"), 2, 6);
  expectShell(parseConfiguration("[Xe] 4f7 5d1 6s2"), 3, 7);
  expectShell(parseConfiguration("[Xe] 4f7 5d1 6s2"), 2, 1);
}

TEST(Configuration, ChromiumIsTheProductOfItsShells) {
  const auto cr = parseConfiguration("[Ar] 3d5 4s1");
  ASSERT_EQ(cr.symmetries.size(), 5u);
  EXPECT_EQ(cr.symmetries[0].closed(), 3);
  EXPECT_EQ(cr.symmetries[1].closed(), 2);
  EXPECT_EQ(cr.symmetries[4].closed(), 0);
  EXPECT_EQ(cr.occupiedSpinors(0), 4);
  EXPECT_DOUBLE_EQ(cr.symmetries[0].openElectrons(), 1.0);
  EXPECT_DOUBLE_EQ(cr.symmetries[3].openElectrons(), 2.0);
  EXPECT_DOUBLE_EQ(cr.symmetries[4].openElectrons(), 3.0);
  EXPECT_DOUBLE_EQ(pairWeight(cr, 0, 0), 0.0);
  EXPECT_DOUBLE_EQ(pairWeight(cr, 0, 3), 2.0);
  EXPECT_DOUBLE_EQ(pairWeight(cr, 4, 0), 3.0);
  EXPECT_NEAR(pairWeight(cr, 3, 4), 4 * 6 * 20.0 / 90.0, 1e-14);
  EXPECT_DOUBLE_EQ(reduction(cr, 0, 4), 0.0);
  EXPECT_DOUBLE_EQ(reduction(cr, 0, 0), 1.0);
  EXPECT_NEAR(reduction(cr, 3, 4), 1.0 - (24 * 20.0 / 90.0) / 6.0, 1e-14);
  EXPECT_DOUBLE_EQ(cr.electrons(), 24.0);
  EXPECT_DOUBLE_EQ(cr.occupation(0, 2), 2.0);
  EXPECT_DOUBLE_EQ(cr.occupation(0, 3), 1.0);
  EXPECT_DOUBLE_EQ(cr.occupation(0, 4), 0.0);

  // The same product as a list: one electron in s+, five over d- and d+.
  const std::vector<bool> open{true, false, false, true, true};
  std::vector<OpenOccupations> list;
  for (int d = 0; d <= 4; ++d) list.push_back({1, d, 5 - d});
  const auto listed = averageConfigurations({3, 2, 2, 0, 0}, open, list, "3d5 4s1");
  EXPECT_LT((listed.openPairWeights - cr.openPairWeights).cwiseAbs().maxCoeff(), 1e-14);

  // All distributions of six electrons over s+, d-, d+ are another average: a shell of twelve.
  const auto all = averageConfigurations({3, 2, 2, 0, 0}, open, allDistributions(open, 6), "autogen");
  for (int a : {0, 3, 4}) {
    EXPECT_NEAR(all.symmetries[a].openElectrons(), g(a) * 6.0 / 12.0, 1e-14);
    for (int b : {0, 3, 4}) EXPECT_NEAR(pairWeight(all, a, b), g(a) * g(b) * 30.0 / 132.0, 1e-13);
  }
  EXPECT_DOUBLE_EQ(all.electrons(), 24.0);
  EXPECT_GT(std::abs(pairWeight(all, 0, 4) - pairWeight(cr, 0, 4)), 0.2);
}

TEST(Configuration, HolesAndExcitedShellsKeepTheirPlace) {
  const auto ne = parseConfiguration("1s1 2s2 2p6");
  ASSERT_EQ(ne.symmetries[0].occupied(), 2);
  EXPECT_TRUE(ne.symmetries[0].spinors[0].open);
  EXPECT_FALSE(ne.symmetries[0].spinors[1].open);
  EXPECT_DOUBLE_EQ(ne.occupation(0, 0), 1.0);
  EXPECT_DOUBLE_EQ(ne.occupation(0, 1), 2.0);
  EXPECT_EQ(ne.symmetries[0].closed(), 1);
  EXPECT_FALSE(ne.symmetries[0].isAufbau());
  EXPECT_TRUE(ne.symmetries[1].isAufbau());
  EXPECT_FALSE(ne.isAufbau());

  const auto li = parseConfiguration("1s2 3s1");
  ASSERT_EQ(li.symmetries[0].occupied(), 2);
  EXPECT_EQ(li.symmetries[0].spinors[1].number, 2);
  EXPECT_EQ(li.symmetries[0].needed(), 3);
  EXPECT_EQ(li.occupiedSpinors(0), 2);
  EXPECT_FALSE(li.isAufbau());
  EXPECT_EQ(li.occupiedSymmetries(), 1);

  EXPECT_TRUE(parseConfiguration("[Xe] 6p1").isAufbau());
  EXPECT_TRUE(parseConfiguration("1s2 2s1 2p3").isAufbau());
  EXPECT_FALSE(parseConfiguration("[Xe] 7p1").isAufbau());
  EXPECT_EQ(parseConfiguration("3s1 1s2").symmetries[0].spinors[0].number, 0);  // any order
}

// Two partly filled shells of one l: each averaged by itself, and the product between them.
TEST(Configuration, SeveralOpenShellsOfOneSymmetry) {
  const auto c = parseConfiguration("1s2 2s2 2p5 3p1");
  const auto open = c.openSpinors();
  ASSERT_EQ(open.size(), 4u);  // 2p-, 3p-, 2p+, 3p+
  const int symmetry[] = {1, 1, 2, 2}, position[] = {0, 1, 0, 1};
  const double electrons[] = {5.0 / 3.0, 1.0 / 3.0, 10.0 / 3.0, 2.0 / 3.0}, places[] = {2, 2, 4, 4};
  for (int a = 0; a < 4; ++a) {
    EXPECT_EQ(open[a].symmetry, symmetry[a]);
    EXPECT_EQ(open[a].position, position[a]);
    EXPECT_NEAR(c.occupation(symmetry[a], position[a]), electrons[a], 1e-14);
    for (int b = 0; b < 4; ++b) {
      double expected = electrons[a] * electrons[b];
      if (position[a] == position[b]) expected = position[a] == 0 ? places[a] * places[b] * 20.0 / 30.0 : 0.0;
      EXPECT_NEAR(c.openPairWeights(a, b), expected, 1e-13) << a << b;
      EXPECT_NEAR(c.openReduction()(a, b), 1.0 - expected / (electrons[a] * electrons[b]), 1e-13);
    }
  }
  EXPECT_EQ(c.firstOpen(0), -1);
  EXPECT_EQ(c.firstOpen(1), 0);
  EXPECT_EQ(c.firstOpen(2), 2);
  EXPECT_NEAR(c.electrons(), 10.0, 1e-13);
  const auto he = parseConfiguration("1s1 2s1");
  EXPECT_DOUBLE_EQ(he.openPairWeights(0, 0), 0.0);
  EXPECT_DOUBLE_EQ(he.openPairWeights(0, 1), 1.0);
}

/// The average over all determinants of two open shells is the sum over their relativistic configurations,
/// each with the average of its own determinants, weighted by their numbers.
TEST(Configuration, AverageIsTheWeightedSumOfRelativisticConfigurations) {
  const auto c = parseConfiguration("2p4 3p2");
  const double places[] = {2, 2, 4, 4};  // 2p-, 3p-, 2p+, 3p+
  const auto binomial = [](double n, int k) {
    return std::round(std::exp(std::lgamma(n + 1) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1)));
  };
  double total = 0.0;
  Eigen::Matrix4d pairs = Eigen::Matrix4d::Zero();
  for (int lower = 0; lower <= 2; ++lower)
    for (int upper = 0; upper <= 2; ++upper) {
      const double n[] = {double(lower), double(upper), 4.0 - lower, 2.0 - upper};
      double weight = 1.0;
      for (int a = 0; a < 4; ++a) weight *= binomial(places[a], static_cast<int>(n[a]));
      total += weight;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          pairs(a, b) += weight * (a == b ? n[a] * (n[a] - 1) * places[a] / (places[a] - 1) : n[a] * n[b]);
    }
  EXPECT_NEAR(total, 15.0 * 15.0, 1e-9);
  EXPECT_LT((pairs / total - c.openPairWeights).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Configuration, WeightsCountDeterminants) {
  // p-: 2 places, p+: 4. {2,0}: 1 determinant, {1,1}: 8, leaving {0,2} out.
  const auto c = averageConfigurations({0, 0, 0}, {false, true, true}, {{2, 0}, {1, 1}}, "test");
  EXPECT_NEAR(c.symmetries[1].openElectrons(), (2.0 + 8.0) / 9.0, 1e-15);
  EXPECT_NEAR(c.symmetries[2].openElectrons(), 8.0 / 9.0, 1e-15);
  EXPECT_NEAR(pairWeight(c, 1, 2), 8.0 / 9.0, 1e-15);
  EXPECT_NEAR(pairWeight(c, 1, 1), 2.0 / 9.0 * 2.0, 1e-15);
  EXPECT_NEAR(pairWeight(c, 2, 2), 0.0, 1e-15);
}

/// Of equal numbers of electrons or not: occupations and pairs are sums of shares, and closed is what is
/// closed in all.
TEST(Configuration, AveragesOfSeveralAreSumsOfTheirShares) {
  const Configuration atom = parseConfiguration("1s2 2s2 2p1"), ion = parseConfiguration("1s2 2s1 3p1");
  const Configuration c = averageConfigurations({{0.25, atom}, {0.75, ion}});
  EXPECT_NEAR(c.electrons(), 0.25 * 5 + 0.75 * 4, 1e-14);
  ASSERT_EQ(c.symmetries[0].spinors.size(), 2u);
  EXPECT_FALSE(c.symmetries[0].spinors[0].open);
  EXPECT_TRUE(c.symmetries[0].spinors[1].open);
  EXPECT_NEAR(c.symmetries[0].spinors[1].electrons, 1.25, 1e-15);
  // Open are 2s, 2p- and 3p-, 2p+ and 3p+.
  ASSERT_EQ(c.openPairWeights.rows(), 5);
  EXPECT_NEAR(c.openPairWeights(0, 0), 0.25 * 4, 1e-15);  // of a closed shell of two: their square
  EXPECT_NEAR(c.openPairWeights(0, 1), 0.25 * 2 * (1.0 / 3), 1e-15);
  EXPECT_NEAR(c.openPairWeights(0, 2), 0.75 * 1 * (1.0 / 3), 1e-15);
  EXPECT_NEAR(c.openPairWeights(1, 2), 0.0, 1e-15);
  EXPECT_EQ(c.openPairWeights, c.openPairWeights.transpose());
}

TEST(Configuration, AllDistributionsAreComplete) {
  const auto list = allDistributions({false, true, true}, 3);
  EXPECT_EQ(list, (std::vector<OpenOccupations>{{2, 1}, {1, 2}, {0, 3}}));
  EXPECT_EQ(allDistributions({false}, 0).size(), 1u);
  EXPECT_THROW(allDistributions({false, true, true}, 7), Error);
  EXPECT_THROW(allDistributions({true}, -1), Error);
}

TEST(Configuration, BadListsAreErrors) {
  const std::vector<int> closed{1, 0, 0};
  const std::vector<bool> open{false, true, true};
  EXPECT_THROW(averageConfigurations(closed, open, {}, ""), Error);
  EXPECT_THROW(averageConfigurations(closed, open, {{1}}, ""), Error);
  EXPECT_THROW(averageConfigurations(closed, open, {{3, 0}}, ""), Error);
  EXPECT_THROW(averageConfigurations(closed, open, {{-1, 3}}, ""), Error);
  EXPECT_THROW(averageConfigurations(closed, open, {{1, 1}, {1, 2}}, ""), Error);
  EXPECT_THROW(averageConfigurations(closed, open, {{1, 1}, {1, 1}}, ""), Error);
  EXPECT_THROW(averageConfigurations(closed, open, {{0, 2}}, ""), Error);  // p- is empty
  EXPECT_THROW(averageConfigurations(closed, open, {{2, 1}}, ""), Error);  // p- is full
  EXPECT_THROW(averageConfigurations({1, -1, 0}, open, {{1, 1}}, ""), Error);
  EXPECT_THROW(averageConfigurations({1}, open, {{1, 1}}, ""), Error);
  EXPECT_NO_THROW(averageConfigurations({1}, {false}, {}, ""));
}

TEST(Configuration, ClosedShellsAndExtraSymmetries) {
  const auto rn = parseConfiguration("[Xe] 4f14 5d10 6s2 6p6", 9);
  ASSERT_EQ(rn.symmetries.size(), 9u);
  const int closed[] = {6, 5, 5, 3, 3, 1, 1, 0, 0};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(rn.symmetries[i].closed(), closed[i]);
  EXPECT_FALSE(rn.hasOpenShells());
  EXPECT_DOUBLE_EQ(rn.electrons(), 86.0);
  EXPECT_EQ(rn.openPairWeights.rows(), 0);
  EXPECT_EQ(parseConfiguration("1s2").symmetries.size(), 1u);
  EXPECT_EQ(parseConfiguration(" [he]  2s^2   2p^3 ").electrons(), 7.0);
  EXPECT_EQ(parseConfiguration("[Og] 8s2 5g1").symmetries.size(), 9u);
  EXPECT_EQ(parseConfiguration("[Rn]").electrons(), 86.0);
}

struct BadText {
  const char* text;
  int column;
  const char* part;
};

TEST(Configuration, ParseErrorsHaveColumns) {
  const BadText rows[] = {{"", 1, "empty"},
                          {"[Fe] 4s2", 2, "'Fe' is not a noble gas"},
                          {"[Ar 4s2", 1, "closing bracket"},
                          {"[Ar] 3d11 4s2", 8, "11 electrons in 3d; expected 0 to 10"},
                          {"1s0 2s0", 1, "it has no electrons"},
                          {"[Ar] 3x5", 7, "'3x5' is not a shell"},
                          {"[Ar] 3f5", 6, "there is no shell 3f"},
                          {"[Ne] 60s1", 6, "60s has n above 20, the largest for which"},
                          {"[Ar] d5", 6, "expected a shell such as 3d5"},
                          {"[Ar] 3p2", 6, "3p is given twice (it is part of the core)"},
                          {"1s2 2s2 2s1", 9, "2s is given twice"},
                          {"[Ar] 3d5;4s1", 9, "expected a blank"},
                          {"[Ne] 3s2 3p1/3", 12, "'3p1/3' is not a spinor; j of p shells is 1/2 or 3/2"},
                          {"[Ne] 3s2 3p5/2", 12, "is not a spinor"},
                          {"[Ne] 3s2 3p1/2:3", 16, "3 electrons in 3p1/2; expected 0 to 2"},
                          {"[Ne] 3s2 3p1/2:2 3p1", 18, "3p is given twice"},
                          {"[Ne] 3s2 3p1 3p3/2", 14, "3p3/2 is given twice"},
                          {"[Ne] 2p3/2", 6, "(it is part of the core)"},
                          {"1s22s2", 3, "22 electrons in 1s"},
                          {"1s2 [He]", 5, "expected a shell"},
                          {"1s99999999999", 3, "too long"}};
  for (const auto& row : rows) {
    try {
      parseConfiguration(row.text);
      ADD_FAILURE() << "no error in '" << row.text << "'";
    } catch (const ConfigurationError& error) {
      EXPECT_EQ(error.column, row.column) << error.what();
      EXPECT_NE(error.reason.find(row.part), std::string::npos) << error.what();
    }
  }
}

TEST(Configuration, WholeShellsTreatBothJAlike) {
  for (int z = 1; z <= kLastElement; ++z)
    EXPECT_TRUE(treatsBothJAlike(parseConfiguration(groundConfiguration(z)))) << z;
  EXPECT_TRUE(treatsBothJAlike(parseConfiguration("1s1 2s2 2p5 3p1")));
  const std::vector<int> closed{2, 0, 0};
  const auto average = [&](const std::vector<OpenOccupations>& list) {
    return averageConfigurations(closed, {false, true, true}, list, "2p");
  };
  EXPECT_TRUE(treatsBothJAlike(average({{2, 0}, {1, 1}, {0, 2}})));
  EXPECT_FALSE(treatsBothJAlike(average({{1, 1}})));
  EXPECT_FALSE(treatsBothJAlike(average({{1, 2}})));  // in proportion, but of other pair weights
  EXPECT_FALSE(treatsBothJAlike(averageConfigurations({2, 1, 0}, {false, false, false}, {{}}, "2p1/2")));
}

TEST(Configuration, EveryNeutralGroundConfigurationHasZElectrons) {
  for (int z = 1; z <= kLastElement; ++z) {
    const auto c = parseConfiguration(groundConfiguration(z));
    EXPECT_NEAR(c.electrons(), z, 1e-12) << groundConfiguration(z);
    EXPECT_EQ(c.description, groundConfiguration(z));
  }
  EXPECT_EQ(groundConfiguration(24), "[Ar] 3d5 4s1");
  EXPECT_EQ(groundConfiguration(46), "[Kr] 4d10");
  EXPECT_EQ(groundConfiguration(103), "[Rn] 5f14 7s2 7p1");
  EXPECT_THROW(groundConfiguration(0), Error);
  EXPECT_THROW(groundConfiguration(119), Error);
}

// The averages that the reference energies stand for; the table lacks 20 elements.
TEST(Configuration, GroundConfigurationsAreThoseOfTheReferenceEnergies) {
  int rows = 0;
  for (const auto& row : test::readCsv("../basis_sets/reference/numerical_energies.csv")) {
    EXPECT_EQ(groundConfiguration(std::stoi(row.at("Z"))), row.at("configuration"));
    ++rows;
  }
  EXPECT_GT(rows, 98);
}

}  // namespace
}  // namespace prophet

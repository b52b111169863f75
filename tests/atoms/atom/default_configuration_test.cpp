#include "atoms/atom/default_configuration.hpp"

#include <gtest/gtest.h>

#include <map>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/shell_list.hpp"
#include "core/common/error.hpp"
#include "csv.hpp"

namespace prophet {
namespace {

std::string textOf(int z, int charge) { return defaultConfiguration(z, charge).text; }

using Shells = std::map<std::pair<int, int>, int>;  // n, l: electrons

Shells shellsOf(const std::string& configuration) {
  Shells shells;
  for (const Shell& s : parseShells(configuration)) shells[{s.n, s.l}] += s.electrons;
  return shells;
}

/// All 5,847 of the database, neutral atoms included.
TEST(DefaultConfiguration, IsThatOfNistWhereNistHasOne) {
  int all = 0;
  for (const auto& row : test::readCsv("../src/data/nist-ionisation-energies.csv")) {
    const int z = std::stoi(row.at("Z")), charge = std::stoi(row.at("charge"));
    const DefaultConfiguration c = defaultConfiguration(z, charge);
    EXPECT_EQ(c.source, ConfigurationSource::Nist) << z << ' ' << charge;
    EXPECT_EQ(shellsOf(c.text), shellsOf(row.at("configuration")))
        << z << ' ' << charge << ' ' << c.text << ' ' << row.at("configuration");
    ++all;
  }
  EXPECT_EQ(all, 5847);
  int nist = 0;
  for (int z = 1; z <= 118; ++z) {
    for (int charge = 0; charge < z; ++charge)
      nist += defaultConfiguration(z, charge).source == ConfigurationSource::Nist;
  }
  EXPECT_EQ(nist, all);  // and no other claims to be
}

TEST(DefaultConfiguration, IonsThatLoseOtherElectronsThanTheRuleSays) {
  EXPECT_EQ(textOf(71, 1), "[Xe] 4f14 6s2");
  EXPECT_EQ(textOf(89, 1), "[Rn] 7s2");
  EXPECT_EQ(textOf(72, 1), "[Xe] 4f14 5d1 6s2");
  EXPECT_EQ(textOf(27, 1), "[Ar] 3d8");
  EXPECT_EQ(textOf(28, 1), "[Ar] 3d9");
  EXPECT_EQ(textOf(23, 1), "[Ar] 3d4");
  EXPECT_EQ(textOf(39, 1), "[Kr] 5s2");
  EXPECT_EQ(textOf(57, 1), "[Xe] 5d2");
  EXPECT_EQ(textOf(58, 1), "[Xe] 4f1 5d2");
  EXPECT_EQ(textOf(91, 1), "[Rn] 5f2 7s2");
  EXPECT_EQ(textOf(92, 1), "[Rn] 5f3 7s2");
  EXPECT_EQ(textOf(96, 1), "[Rn] 5f7 7s2");
}

TEST(DefaultConfiguration, CationsBeyondTheTablesLoseTheOutermostShellFirst) {
  EXPECT_EQ(textOf(26, 2), "[Ar] 3d6");
  EXPECT_EQ(textOf(29, 1), "[Ar] 3d10");
  EXPECT_EQ(textOf(58, 3), "[Xe] 4f1");
  EXPECT_EQ(textOf(3, 1), "[He]");
  EXPECT_EQ(textOf(92, 82), "[Ne]");
  EXPECT_EQ(textOf(92, 91), "1s1");
  EXPECT_EQ(textOf(114, 2), "[Rn] 5f14 6d10 7s2");
  EXPECT_EQ(defaultConfiguration(114, 2).source, ConfigurationSource::Rule);
}

TEST(DefaultConfiguration, AnionsAreThoseOfPublishedSpectraOrIsoelectronicWithAtoms) {
  EXPECT_EQ(textOf(23, -1), "[Ar] 3d4 4s2");
  EXPECT_EQ(textOf(28, -1), "[Ar] 3d9 4s2");
  EXPECT_EQ(textOf(41, -1), "[Kr] 4d4 5s2");
  EXPECT_EQ(textOf(78, -1), "[Xe] 4f14 5d9 6s2");
  EXPECT_EQ(textOf(57, -1), "[Xe] 5d2 6s2");
  EXPECT_EQ(textOf(9, -1), groundConfiguration(10));
  EXPECT_EQ(textOf(8, -2), groundConfiguration(10));
  EXPECT_EQ(textOf(79, -1), groundConfiguration(80));
  EXPECT_EQ(textOf(79, 0), groundConfiguration(79));
  EXPECT_EQ(defaultConfiguration(9, -1).source, ConfigurationSource::Nist);
  EXPECT_EQ(defaultConfiguration(8, -2).source, ConfigurationSource::Rule);
  EXPECT_EQ(defaultConfiguration(2, -1).source, ConfigurationSource::Rule);
}

/// Every charge of every element is a configuration of as many electrons.
TEST(DefaultConfiguration, HasItsElectrons) {
  for (int z = 1; z <= 118; ++z) {
    for (int charge = -1; charge < z; ++charge) {
      if (z - charge > 118) continue;
      EXPECT_NEAR(parseConfiguration(textOf(z, charge)).electrons(), z - charge, 1e-9) << z << ' ' << charge;
    }
  }
}

TEST(DefaultConfiguration, RefusesWhatCannotBe) {
  EXPECT_THROW(defaultConfiguration(2, 2), Error);
  EXPECT_THROW(defaultConfiguration(118, -1), Error);
}

TEST(DefaultConfiguration, SourcesHaveNames) {
  for (const ConfigurationSource s :
       {ConfigurationSource::Given, ConfigurationSource::Nist, ConfigurationSource::Rule})
    EXPECT_EQ(valueNamed<ConfigurationSource>(nameOf(s)), s);
}

}  // namespace
}  // namespace prophet

#include "report/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "input/parse_job.hpp"

namespace prophet {
namespace {

class Report : public ::testing::Test {
 protected:
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  const Calculation calculation_ = resolve(parseJob("Carbon\n$nuc znuc=6 $end\n", "c.inp"));
  const EnergyResult result_ = calculateEnergy(calculation_, RunOptions{1});
};

TEST_F(Report, JobNamesEveryChoice) {
  const std::string text = reportJob(calculation_);
  for (const char* part :
       {"c.inp", "C, Z = 6, 6 electrons", "Gaussian", "1s2 2s2 2p2", "DIIS", "1.0e-05 1.0e-07 1.0e-09"}) {
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  }
}

TEST_F(Report, BasisListsExponentsOnDemand) {
  const std::string brief = reportBasis(calculation_, false), full = reportBasis(calculation_, true);
  EXPECT_GT(std::count(full.begin(), full.end(), '\n'), std::count(brief.begin(), brief.end(), '\n') + 10);
}

TEST_F(Report, ResultHoldsPartsThatSumToTheTotal) {
  const EnergyParts& e = result_.scf.energy;
  EXPECT_NEAR(e.kinetic + e.nuclear + e.twoElectron, e.total, 1e-11);
  const std::string text = reportResult(calculation_, result_);
  for (const char* part : {"total energy", "kinetic", "nuclear attraction", "electron repulsion", "virial",
                           "2p1/2", "0.666667"}) {
    EXPECT_TRUE(has(text, part)) << part;
  }
}

TEST_F(Report, JsonCarriesTheSameNumbers) {
  const auto j = nlohmann::json::parse(jsonResult("9.9.9", calculation_, result_));
  EXPECT_EQ(j.at("version"), "9.9.9");
  EXPECT_EQ(j.at("energy").get<double>(), result_.scf.energy.total);
  EXPECT_EQ(j.at("title"), "Carbon");
  EXPECT_EQ(j.at("orbitals").size(), 4u);
  double electrons = 0;
  for (const auto& o : j.at("orbitals")) electrons += o.at("occupation").get<double>();
  EXPECT_NEAR(electrons, 6.0, 1e-12);
  EXPECT_EQ(jsonResult("1", calculation_, result_, -1).find('\n'), std::string::npos);
}

TEST_F(Report, TimingsNameTheBuilder) { EXPECT_TRUE(has(reportTimings(result_), "grid,")); }

}  // namespace
}  // namespace prophet

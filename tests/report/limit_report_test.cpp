#include "report/limit_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "calculation/limit_run.hpp"
#include "input/parse_job.hpp"

namespace prophet {
namespace {

class LimitReport : public ::testing::Test {
 protected:
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  const Calculation calculation_ =
      resolve(parseJob("Boron\n$contrl jobtype='limit' $end\n$nuc znuc=5 $end\n", "b.inp"));
  const LimitResult result_ = runLimit(calculation_, 1);
};

TEST_F(LimitReport, JobNamesMethodAndEveryChoice) {
  const std::string text = reportLimitJob("9.9.9", calculation_);
  for (const char* part : {"9.9.9", "Boron", "b.inp", "B, Z = 5, 5 electrons", "point", "B-splines",
                           "chosen for you", "1s2 2s2 2p1"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_FALSE(has(text, "DIIS"));
}

TEST_F(LimitReport, ResultHasErrorResolutionsAndSpinors) {
  const std::string text = reportLimit(calculation_, result_, 1.5);
  for (const char* part : {"total energy", "-24.536", "estimated error", "virial", "1.50 s", "<r^2>", "<1/r>",
                           "1s1/2", "2p3/2", "0.666667", "cells"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST_F(LimitReport, JsonCarriesTheSameNumbers) {
  const auto j = nlohmann::json::parse(jsonLimit("9.9.9", calculation_, result_, 1.5));
  EXPECT_EQ(j.at("job"), "limit");
  EXPECT_EQ(j.at("energy").get<double>(), result_.energy);
  EXPECT_EQ(j.at("estimated_error").get<double>(), result_.estimatedError);
  EXPECT_TRUE(j.at("converged").get<bool>());
  EXPECT_EQ(j.at("nucleus").at("model"), "point");
  ASSERT_EQ(j.at("resolutions").size(), 2u);
  EXPECT_EQ(j.at("resolutions")[1].at("energy").get<double>(), result_.energy);
  ASSERT_EQ(j.at("orbitals").size(), 4u);
  double electrons = 0;
  for (const auto& o : j.at("orbitals")) electrons += o.at("occupation").get<double>();
  EXPECT_NEAR(electrons, 5, 1e-12);
  EXPECT_EQ(j.at("orbitals")[0].at("mean_radius").get<double>(), result_.spinors[0].meanRadius);
}

TEST(LimitReportBreit, SelfConsistentPartsAreInTheEnergyFirstOrderOnesBesideIt) {
  for (const bool selfConsistent : {true, false}) {
    const Calculation c =
        resolve(parseJob(std::string("Be\n$contrl jobtype='limit' breit='breit' breitscf=") +
                             (selfConsistent ? "t" : "f") + " $end\n$nuc znuc=4 $end\n",
                         "be.inp"));
    const LimitResult r = runLimit(c, 1);
    const double breit = r.parts.gaunt + r.parts.gauge;
    EXPECT_NEAR(breit, 7.0e-4, 1e-4);
    EXPECT_EQ(r.firstOrder, selfConsistent ? 0.0 : breit);
    const std::string job = reportLimitJob("9", c), text = reportLimit(c, r, 1.0);
    const std::string treatment = selfConsistent ? "self-consistent" : "Breit in first order";
    EXPECT_NE(job.find("Dirac-Coulomb-Breit, " + treatment), std::string::npos) << job;
    for (const char* part : {"Gaunt", "Breit gauge"}) EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find("with all corrections") == std::string::npos, selfConsistent) << text;
    const auto j = nlohmann::json::parse(jsonLimit("9", c, r, 1.0));
    EXPECT_EQ(j.at("energy_parts").at("gaunt").get<double>(), r.parts.gaunt);
    EXPECT_EQ(j.at("energy_parts").at("breit_gauge").get<double>(), r.parts.gauge);
    EXPECT_EQ(j.at("hamiltonian"), selfConsistent ? "Dirac-Coulomb-Breit" : "Dirac-Coulomb");
    EXPECT_EQ(j.at("treatment").at("breit"), selfConsistent ? "self-consistent" : "first order");
    EXPECT_NEAR(j.at("total_with_corrections").get<double>(), -14.575892266403274 + breit, 1e-6);
  }
}

TEST(LimitReportQed, PartsStandBesideOrInTheEnergy) {
  for (const bool selfConsistent : {true, false}) {
    const Calculation c =
        resolve(parseJob(std::string("Be\n$contrl jobtype='limit' qedvp='full' qedse='inner' qedscf=") +
                             (selfConsistent ? "t" : "f") + " $end\n$nuc znuc=4 $end\n",
                         "be.inp"));
    const LimitResult r = runLimit(c, 1);
    const std::string job = reportLimitJob("9", c), text = reportLimit(c, r, 1.0);
    EXPECT_NE(job.find(selfConsistent ? "; self-consistent" : "; first order"), std::string::npos) << job;
    EXPECT_EQ(text.find("with all corrections") == std::string::npos, selfConsistent) << text;
    const auto j = nlohmann::json::parse(jsonLimit("9", c, r, 1.0));
    ASSERT_EQ(r.parts.extra.size(), 4u);
    const char* keys[] = {"vacuum_polarisation", "kallen_sabry", "wichmann_kroll", "self_energy"};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(j.at("energy_parts").at(keys[i]).get<double>(), r.parts.extra[i]);
      EXPECT_NE(text.find(r.parts.extraNames[i]), std::string::npos) << text;
    }
    EXPECT_EQ(j.at("treatment").at("qed"), selfConsistent ? "self-consistent" : "first order");
    EXPECT_EQ(j.at("total_with_corrections").get<double>(), r.energy + r.firstOrder);
  }
}

}  // namespace
}  // namespace prophet

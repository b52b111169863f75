#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "operations/input/parse_job.hpp"
#include "operations/record/json_report.hpp"
#include "operations/record/report.hpp"

namespace prophet {
namespace {

class LimitReport : public ::testing::Test {
 protected:
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  const ResolvedJob job_ =
      resolve(parseJob("Boron\n$contrl jobtype='limit' $end\n$nuc znuc=5 $end\n", "b.inp"));
  const Result result_ = compute(job_.calculation);
};

TEST_F(LimitReport, JobNamesMethodAndEveryChoice) {
  const std::string text = reportHeader("9.9.9", job_) + reportJob(job_);
  for (const char* part : {"9.9.9", "Boron", "b.inp", "B, Z = 5, 5 electrons", "Gaussian", "B-splines",
                           "chosen automatically", "1s2 2s2 2p1"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_FALSE(has(text, "DIIS"));
}

TEST_F(LimitReport, ResultHasErrorResolutionsAndSpinors) {
  const std::string text = reportResult(result_);
  for (const char* part : {"total energy", "-24.536", "estimated error", "virial", " s\n", "<r^2>", "<1/r>",
                           "1s1/2", "2p3/2", "0.666667", "cells"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST_F(LimitReport, JsonCarriesTheSameNumbers) {
  const auto j = nlohmann::json::parse(jsonResult(job_, result_));
  EXPECT_EQ(j.at("job"), "limit");
  EXPECT_EQ(j.at("energy").get<double>(), result_.energy.total);
  EXPECT_EQ(j.at("estimated_error").get<double>(), result_.limit->estimatedError);
  EXPECT_TRUE(j.at("converged").get<bool>());
  EXPECT_EQ(j.at("nucleus").at("model"), "Gaussian");
  ASSERT_EQ(j.at("resolutions").size(), 2u);
  EXPECT_EQ(j.at("resolutions")[1].at("energy").get<double>(), result_.energy.total);
  ASSERT_EQ(j.at("orbitals").size(), 4u);
  double electrons = 0;
  for (const auto& o : j.at("orbitals")) electrons += o.at("occupation").get<double>();
  EXPECT_NEAR(electrons, 5, 1e-12);
  EXPECT_EQ(j.at("orbitals")[0].at("mean_radius").get<double>(), *result_.spinors[0].meanRadius);
}

/// The energy goes on falling as the mesh grows: no number would be an error of it.
TEST_F(LimitReport, NoErrorIsStatedForWhatIsNotBound) {
  Result unbound = result_;
  unbound.status = Status::Unbound;
  EXPECT_TRUE(nlohmann::json::parse(jsonResult(job_, unbound)).at("estimated_error").is_null());
}

TEST(LimitReportBreit, SelfConsistentPartsAreInTheEnergyFirstOrderOnesBesideIt) {
  for (const bool selfConsistent : {true, false}) {
    const ResolvedJob c =
        resolve(parseJob(std::string("Be\n$contrl jobtype='limit' breit='breit' breitscf=") +
                             (selfConsistent ? "t" : "f") + " $end\n$nuc znuc=4 $end\n",
                         "be.inp"));
    const Result r = compute(c.calculation);
    const double breit = r.energy.value(EnergyPartId::Gaunt) + r.energy.value(EnergyPartId::BreitGauge);
    EXPECT_NEAR(breit, 7.0e-4, 1e-4);
    EXPECT_EQ(r.energy.firstOrder(), selfConsistent ? 0.0 : breit);
    const std::string job = reportJob(c), text = reportResult(r);
    const std::string treatment = selfConsistent ? "self-consistent" : "Breit in first order";
    EXPECT_NE(job.find("Dirac-Coulomb-Breit, " + treatment), std::string::npos) << job;
    for (const char* part : {"Gaunt", "Breit gauge"}) EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find("with all corrections") == std::string::npos, selfConsistent) << text;
    const auto j = nlohmann::json::parse(jsonResult(c, r));
    EXPECT_EQ(j.at("energy_parts").at("gaunt").get<double>(), r.energy.value(EnergyPartId::Gaunt));
    EXPECT_EQ(j.at("energy_parts").at("breit_gauge").get<double>(), r.energy.value(EnergyPartId::BreitGauge));
    EXPECT_EQ(j.at("hamiltonian"), selfConsistent ? "Dirac-Coulomb-Breit" : "Dirac-Coulomb");
    EXPECT_EQ(j.at("treatment").at("breit"), selfConsistent ? "self-consistent" : "first order");
    EXPECT_NEAR(j.at("total_with_corrections").get<double>(), -14.575892266403274 + breit, 1e-6);
  }
}

TEST(LimitReportQed, PartsStandBesideOrInTheEnergy) {
  for (const bool selfConsistent : {true, false}) {
    const ResolvedJob c =
        resolve(parseJob(std::string("Be\n$contrl jobtype='limit' qedvp='full' qedse='inner' qedscf=") +
                             (selfConsistent ? "t" : "f") + " $end\n$nuc znuc=4 $end\n",
                         "be.inp"));
    const Result r = compute(c.calculation);
    const std::string job = reportJob(c), text = reportResult(r);
    EXPECT_NE(job.find(selfConsistent ? "; self-consistent" : "; first order"), std::string::npos) << job;
    EXPECT_EQ(text.find("with all corrections") == std::string::npos, selfConsistent) << text;
    const auto j = nlohmann::json::parse(jsonResult(c, r));
    const std::vector<EnergyPart> parts = correctionsOf(r.energy);
    ASSERT_EQ(parts.size(), 4u);
    const char* keys[] = {"vacuum_polarisation", "kallen_sabry", "wichmann_kroll", "self_energy"};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(j.at("energy_parts").at(keys[i]).get<double>(), parts[i].value);
      EXPECT_NE(text.find(labelOf(parts[i].id)), std::string::npos) << text;
    }
    EXPECT_EQ(j.at("treatment").at("qed"), selfConsistent ? "self-consistent" : "first order");
    EXPECT_EQ(j.at("total_with_corrections").get<double>(), r.energy.withCorrections());
  }
}

}  // namespace
}  // namespace prophet

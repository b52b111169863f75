#include "operations/record/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "operations/input/parse_job.hpp"
#include "operations/record/json_report.hpp"

namespace prophet {
namespace {

class Report : public ::testing::Test {
 protected:
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  const ResolvedJob job_ = resolve(parseJob("Carbon\n$nuc znuc=6 $end\n", "c.inp"));
  const Result result_ = compute(job_.calculation);
};

TEST_F(Report, JobNamesEveryChoice) {
  const std::string text = reportJob(job_);
  for (const char* part :
       {"c.inp", "C, Z = 6, 6 electrons", "Gaussian", "1s2 2s2 2p2", "DIIS", "1.0e-05 1.0e-07 1.0e-09"}) {
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  }
}

TEST_F(Report, BasisListsExponentsOnDemand) {
  const std::string brief = reportBasis(job_.calculation.inBasis().basis, false),
                    full = reportBasis(job_.calculation.inBasis().basis, true);
  EXPECT_GT(std::count(full.begin(), full.end(), '\n'), std::count(brief.begin(), brief.end(), '\n') + 10);
}

TEST_F(Report, ResultHoldsPartsThatSumToTheTotal) {
  const std::string text = reportResult(result_);
  for (const char* part : {"total energy", "kinetic", "nuclear attraction", "electron repulsion", "virial",
                           "2p1/2", "0.666667"}) {
    EXPECT_TRUE(has(text, part)) << part;
  }
}

TEST_F(Report, JsonCarriesTheSameNumbers) {
  const auto j = nlohmann::json::parse(jsonResult(job_, result_));
  EXPECT_EQ(j.at("schema_version"), kRecordSchema);
  EXPECT_EQ(j.at("operation"), "energy");
  EXPECT_EQ(j.at("request").at("input"), job_.job.text);
  EXPECT_EQ(j.at("energy").get<double>(), result_.energy.total);
  EXPECT_EQ(j.at("title"), "Carbon");
  EXPECT_EQ(j.at("orbitals").size(), 4u);
  double electrons = 0;
  for (const auto& o : j.at("orbitals")) electrons += o.at("occupation").get<double>();
  EXPECT_NEAR(electrons, 6.0, 1e-12);
  EXPECT_EQ(jsonResult(job_, result_, -1).find('\n'), std::string::npos);
}

TEST_F(Report, TimingsNameTheBuilder) { EXPECT_TRUE(has(reportTimings(result_), "grid,")); }

ResolvedJob neon(const std::string& control) {
  return resolve(parseJob("Neon\n$contrl " + control + " $end\n$nuc znuc=10 $end\n", "ne.inp"));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ReportBeyondCoulomb, JobNamesHamiltonianAndTreatment) {
  const auto job = [](const std::string& control) { return reportJob(neon(control)); };
  EXPECT_TRUE(contains(job("c=137"), " Dirac-Coulomb, rest mass"));
  EXPECT_FALSE(contains(job("c=137"), "QED"));
  EXPECT_TRUE(contains(job("breit='breit'"), "Dirac-Coulomb-Breit, Breit in first order"));
  EXPECT_TRUE(contains(job("breit='gaunt'"), "Dirac-Coulomb-Gaunt, Gaunt in first order"));
  EXPECT_TRUE(contains(job("breit='breit' breitscf=t"), "Dirac-Coulomb-Breit, self-consistent"));
  EXPECT_TRUE(contains(job("breit='breit' breitfreq=t"), "frequency-dependent Breit in first order"));
  const std::string qed = job("qedvp='full' qedse='valence' qedscf=t");
  EXPECT_TRUE(contains(qed,
                       "vacuum polarisation (Uehling), Kallen-Sabry, Wichmann-Kroll, self-energy (fitted to "
                       "valence states); self-consistent"))
      << qed;
}

TEST(ReportBeyondCoulomb, FirstOrderPartsStandBelowTheEnergyTheyAreNotIn) {
  const ResolvedJob c = neon("breit='breit' qedvp='uehling'");
  const Result r = compute(c.calculation);
  const std::string text = reportResult(r);
  const auto position = [&](const std::string& part) {
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    return text.find(part);
  };
  EXPECT_LT(position("electron repulsion"), position("in first order"));
  EXPECT_LT(position("in first order"), position("Gaunt"));
  EXPECT_LT(position("Breit gauge"), position("vacuum polarisation"));
  EXPECT_LT(position("vacuum polarisation"), position("with all corrections"));
  const auto j = nlohmann::json::parse(jsonResult(c, r));
  const auto& parts = j.at("energy_parts");
  EXPECT_EQ(j.at("hamiltonian"), "Dirac-Coulomb");
  EXPECT_EQ(j.at("treatment").at("breit"), "first order");
  EXPECT_EQ(j.at("treatment").at("qed"), "first order");
  double sum = j.at("energy").get<double>();
  EXPECT_EQ(sum, r.energy.total);
  for (const char* part : {"gaunt", "breit_gauge", "vacuum_polarisation"})
    sum += parts.at(part).get<double>();
  EXPECT_NEAR(j.at("total_with_corrections").get<double>(), sum, 1e-11);
}

TEST(ReportBeyondCoulomb, SelfConsistentPartsSumToTheTotal) {
  const ResolvedJob c = neon("breit='breit' breitscf=t qedse='inner' qedscf=t");
  const Result r = compute(c.calculation);
  const std::string text = reportResult(r);
  EXPECT_FALSE(contains(text, "in first order"));
  EXPECT_FALSE(contains(text, "with all corrections"));
  // Every line between the total and the virial ratio is one part of it.
  double sum = 0, total = 0;
  std::istringstream lines(
      text.substr(text.find("total energy"), text.find("virial") - text.find("total energy")));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find_last_not_of(" ");
    if (at == std::string::npos || line.find("basis-set error") != std::string::npos) continue;
    if (line.find("hartree") != std::string::npos) {
      total = std::stod(line.substr(line.find('-')));
    } else {
      sum += std::stod(line.substr(line.find_last_of(' ')));
    }
  }
  EXPECT_NEAR(sum, total, 1e-8);
  EXPECT_NEAR(total, r.energy.total, 1e-9);
  const auto j = nlohmann::json::parse(jsonResult(c, r));
  EXPECT_EQ(j.at("hamiltonian"), "Dirac-Coulomb-Breit");
  EXPECT_EQ(j.at("treatment").at("breit"), "self-consistent");
  EXPECT_EQ(j.at("total_with_corrections"), j.at("energy"));
  const auto& parts = j.at("energy_parts");
  double whole = 0;
  for (const auto& part : parts) whole += part.get<double>();
  EXPECT_NEAR(whole, r.energy.total, 1e-9);
}

TEST(ReportBeyondCoulomb, CoulombHasNoCorrections) {
  const ResolvedJob c = neon("c=137.03599976");
  const Result r = compute(c.calculation);
  const auto j = nlohmann::json::parse(jsonResult(c, r));
  EXPECT_EQ(j.at("energy_parts").size(), 3u);
  EXPECT_EQ(j.at("treatment").at("breit"), "none");
  EXPECT_EQ(j.at("treatment").at("qed"), "none");
  EXPECT_EQ(j.at("total_with_corrections"), j.at("energy"));
}

}  // namespace
}  // namespace prophet

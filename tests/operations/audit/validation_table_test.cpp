#include "operations/audit/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/common/constants.hpp"

namespace prophet {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

ValidationTask someTask() {
  ValidationTask task;
  task.elements = {2, 10, 111};
  task.against = ValidateAgainst::Reference;
  task.threshold = 1e-10;
  return task;
}

std::vector<ValidationRow> someRows() {
  ValidationRow good;
  good.z = 2;
  good.configuration = "1s2";
  good.basis = "library x";
  good.basisEnergy = -2.8618133;
  good.limit = -2.8618133422120141;
  good.limitError = 3e-13;
  good.reference = ReferenceEnergy{2, "1s2", {}, 137, -2.861813342212014, 6e-14, "program, method"};
  good.basisMinusLimit = 1.5e-8;
  good.limitMinusReference = -1.5e-16;
  good.passed = true;
  ValidationRow bad;
  bad.z = 10;
  bad.failure = "the limit did not converge";
  return {good, bad};
}

TEST(ValidationTable, TextStatesThresholdVerdictsReasonsAndSources) {
  EXPECT_TRUE(has(validationHead(someTask()), "|limit - reference| at most 1.0e-10"));
  EXPECT_TRUE(has(validationLine(someRows()[0]), "-1.50e-16  pass"));
  const std::string bad = validationLine(someRows()[1]);
  EXPECT_TRUE(has(bad, "FAIL") && has(bad, "did not converge")) << bad;
  const std::string summary = validationSummary(someTask(), someRows());
  for (const char* part :
       {"2 compared, 1 failed", "(He, point nucleus)", "no published energy for: Rg", "program, method"})
    EXPECT_TRUE(has(summary, part)) << part << "\n" << summary;
}

/// Figures for one element may differ in the size of the nucleus alone.
TEST(ValidationTable, TextTellsNucleiApartAndAlignsDifferences) {
  ValidationRow row = someRows()[0];
  row.nucleus.model = NuclearModel::Fermi;
  row.nucleus.rms = 3.0055 / constants::kFemtometresPerBohr;
  row.basisMinusLimit = 1.25e-8;
  row.parts = {{EnergyPartId::Gaunt, 1.5, 1.0}};
  const std::string text = validationLine(row);
  EXPECT_TRUE(has(text, "Fermi 3.0055 ")) << text;
  const std::size_t second = text.find('\n') + 1;
  EXPECT_EQ(text.find("1.25e-08") + 8, text.find("5.00e-01") + 8 - second) << text;
}

TEST(ValidationTable, CsvHasEveryDigitAndQuotesCommas) {
  const std::string text = recordCsv(validationRecord(someTask(), someRows()));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_TRUE(has(text, "-2.861813342212014"));
  EXPECT_TRUE(has(text, "\"program, method\""));
  EXPECT_TRUE(has(text, ",fail,the limit did not converge,"));
  const auto commasOf = [](const std::string& line) {
    bool quoted = false;
    int commas = 0;
    for (const char c : line) {
      quoted ^= c == '"';
      commas += c == ',' && !quoted ? 1 : 0;
    }
    return commas;
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_EQ(commasOf(line), 20) << line;
}

TEST(ValidationTable, JsonCarriesTheSame) {
  const auto j = recordJson(validationRecord(someTask(), someRows()));
  EXPECT_EQ(j.at("against"), "reference");
  EXPECT_EQ(j.at("threshold").get<double>(), 1e-10);
  EXPECT_FALSE(j.at("passed").get<bool>());
  ASSERT_EQ(j.at("rows").size(), 2u);
  EXPECT_EQ(j.at("rows")[0].at("limit").get<double>(), -2.8618133422120141);
  EXPECT_EQ(j.at("rows")[0].at("reference_source"), "program, method");
  EXPECT_TRUE(j.at("rows")[1].at("limit").is_null());
  EXPECT_EQ(j.at("rows")[1].at("reason"), "the limit did not converge");
}

/// Rows that failed have no parts, but their columns.
TEST(ValidationTable, PartsBeyondCoulombAreInEveryForm) {
  std::vector<ValidationRow> rows = someRows();
  rows[0].parts = {{EnergyPartId::Gaunt, 6.5e-5, 6.0e-5}, {EnergyPartId::BreitGauge, 1e-18, 0.0}};
  const std::string line = validationLine(rows[0]);
  EXPECT_TRUE(has(line, "Gaunt") && has(line, "8.33e-02") && has(line, "0.00e+00")) << line;
  const std::string csv = recordCsv(validationRecord(someTask(), rows));
  EXPECT_TRUE(has(csv, ",gaunt_basis_hartree,gaunt_limit_hartree,breit_gauge_basis_hartree,")) << csv;
  EXPECT_TRUE(has(csv, ",6.5e-05,6e-05,1e-18,0\n")) << csv;
  EXPECT_TRUE(has(csv, "0,0,,,,\n")) << csv;
  const auto j = recordJson(validationRecord(someTask(), rows));
  EXPECT_EQ(j.at("rows")[0].at("parts").at("gaunt").at("limit").get<double>(), 6.0e-5);
  EXPECT_FALSE(j.at("rows")[1].contains("parts"));
}

}  // namespace
}  // namespace prophet

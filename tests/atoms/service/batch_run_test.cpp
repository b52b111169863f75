#include "atoms/service/batch_run.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "atoms/calculation/compute.hpp"
#include "atoms/service/energy_service.hpp"
#include "atoms/service/json_lines.hpp"
#include "core/common/error.hpp"
#include "library_calculation.hpp"

namespace prophet {
namespace {

class BatchRun : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("prophet_batch_" + std::string(test->name()) + std::to_string(getpid()) + ".jsonl");
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::vector<nlohmann::json> lines() const {
    std::vector<nlohmann::json> list;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) list.push_back(nlohmann::json::parse(line));
    return list;
  }
  void write(const std::string& text) const { std::ofstream(path_) << text; }

  std::filesystem::path path_;
};

std::vector<BatchItem> items(int count) {
  std::vector<BatchItem> list;
  for (int i = 0; i < count; ++i) {
    list.push_back({"job " + std::to_string(i), test::libraryCalculation(2, 1.0 + 0.01 * i), ""});
  }
  return list;
}

TEST_F(BatchRun, WritesALineForEveryJob) {
  std::vector<BatchItem> list = items(4);
  list.push_back({"broken", std::nullopt, "broken.inp:3: what is 'zz'?"});
  list[2].calculation->inBasis().scf.maxIterations = 1;
  HostEnergyService service(2);
  std::size_t last = 0;
  const BatchSummary summary =
      runBatch(service, list, {path_, false}, [&](std::size_t done, std::size_t total) {
        EXPECT_GT(done, last);
        last = done;
        EXPECT_EQ(total, 5u);
      });
  EXPECT_EQ(last, 5u);
  EXPECT_EQ(summary.converged, 3u);
  EXPECT_EQ(summary.notConverged, 1u);
  EXPECT_EQ(summary.failed, 1u);
  const auto written = lines();
  ASSERT_EQ(written.size(), 5u);
  for (const auto& line : written) {
    if (line["id"] == "broken") {
      EXPECT_EQ(line["status"], "failed");
      EXPECT_EQ(line["reason"], "broken.inp:3: what is 'zz'?");
    }
    if (line["id"] == "job 1") {
      // Numbers survive the way through text bit for bit.
      EXPECT_EQ(line["energy"].get<double>(), computeOrReason(*list[1].calculation).energy.total);
      EXPECT_EQ(line["orbital_energies"]["s+"].size(), 1u);
    }
  }
}

TEST_F(BatchRun, ResumesAfterAPartialLine) {
  HostEnergyService service(2);
  write("{\"id\":\"job 0\",\"status\":\"converged\"}\n{\"id\":\"job 1\",\"sta");
  const BatchSummary summary = runBatch(service, items(3), {path_, true});
  EXPECT_EQ(summary.skipped, 1u);
  EXPECT_EQ(summary.converged, 2u);
  std::set<std::string> ids;
  for (const auto& line : lines()) EXPECT_TRUE(ids.insert(line["id"]).second);
  EXPECT_EQ(ids, (std::set<std::string>{"job 0", "job 1", "job 2"}));
}

TEST_F(BatchRun, RefusesAFileThatIsNotItsOwn) {
  HostEnergyService service(1);
  write("{\"id\":\"job 0\"}\n");
  EXPECT_THROW(runBatch(service, items(1), {path_, false}), Error);
  write("{\"id\":\"a\"}\nrubbish\n{\"id\":\"b\"}\n");
  try {
    runBatch(service, items(1), {path_, true});
    FAIL() << "accepted a damaged file";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(":2:"), std::string::npos) << error.what();
  }
  EXPECT_THROW(runBatch(service, items(1), {"/nonexistent/folder/x.jsonl", false}), Error);
}

TEST_F(BatchRun, RefusesTwoJobsOfOneName) {
  HostEnergyService service(1);
  std::vector<BatchItem> list = items(2);
  list[1].id = list[0].id;
  EXPECT_THROW(runBatch(service, list, {path_, false}), Error);
}

TEST(LineHeadTest, ReadsWhatStandsFirst) {
  Result outcome;
  const std::string id = "a \"b\"\\c";
  outcome.status = Status::NotConverged;
  outcome.reason = "why {not}";
  const LineHead head = headOf(jsonLine(id, outcome));
  EXPECT_EQ(head.id, id);
  EXPECT_EQ(head.status, "not converged");
  EXPECT_EQ(head.reason, outcome.reason);
  outcome.status = Status::Converged;
  outcome.reason.clear();
  EXPECT_EQ(headOf(jsonLine(id, outcome)).status, "converged");
  EXPECT_EQ(headOf(jsonLine(id, outcome)).reason, "");
  for (const char* damaged : {"", "rubbish", "{\"status\":\"converged\"", "[1]", "3"})
    EXPECT_EQ(headOf(damaged).id, "");
}

TEST_F(BatchRun, KeepsTwoRunsFromOneFile) {
  const JsonLinesFile first(path_, false);
  EXPECT_THROW(JsonLinesFile(path_, true), Error);
}

}  // namespace
}  // namespace prophet

#include "atoms/service/batch_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "atoms/calculation/compute.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/ranks/ranks.hpp"
#include "library_calculation.hpp"
#include "tests/core/ranks/thread_ranks.hpp"

namespace prophet {
namespace {

constexpr int kJobs = 60;

BatchJobs manyJobs() {
  BatchJobs jobs;
  for (int i = 0; i < kJobs; ++i) jobs.ids.push_back("job-" + std::to_string(i));
  jobs.ids.push_back("broken");
  jobs.load = [](std::size_t i) {
    if (i == kJobs) return BatchItem{"broken", std::nullopt, "no such file"};
    const int z = 2 + static_cast<int>(i) % 3;
    return BatchItem{"", test::libraryCalculation(z, 1.0 + 0.001 * static_cast<double>(i)), ""};
  };
  return jobs;
}

class BatchRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("prophet_ranks_" + std::string(test->name()) + std::to_string(getpid()) + ".jsonl");
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::map<std::string, nlohmann::json> lines() const {
    std::map<std::string, nlohmann::json> list;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const auto json = nlohmann::json::parse(line);
      EXPECT_TRUE(list.emplace(json["id"], json).second) << line << " came twice";
    }
    return list;
  }
  std::filesystem::path path_;
};

TEST_F(BatchRanks, EveryJobOnceAndEveryRankWorks) {
  const BatchJobs jobs = manyJobs();
  BatchSummary summary;
  std::vector<std::atomic<int>> loads(4);
  std::size_t last = 0;
  test::ThreadRanks(4).run([&](Ranks& ranks) {
    HostEnergyService service(1);
    BatchJobs mine = jobs;
    mine.load = [&](std::size_t i) {
      ++loads[static_cast<std::size_t>(ranks.rank())];
      return jobs.load(i);
    };
    const BatchSummary own =
        runBatch(service, mine, {path_, false, 2}, ranks, [&](std::size_t done, std::size_t) {
          EXPECT_EQ(ranks.rank(), 0);
          last = done;
        });
    if (ranks.rank() == 0) summary = own;
  });
  EXPECT_EQ(summary.converged, static_cast<std::size_t>(kJobs));
  EXPECT_EQ(summary.failed, 1u);
  EXPECT_EQ(last, kJobs + 1u);
  int sum = 0;
  for (const auto& count : loads) {
    EXPECT_GT(count, 0);
    sum += count;
  }
  EXPECT_EQ(sum, kJobs + 1);
  const auto written = lines();
  ASSERT_EQ(written.size(), kJobs + 1u);
  EXPECT_EQ(written.at("broken").at("reason"), "no such file");
  for (const std::size_t i : {0, 31, 59})
    EXPECT_EQ(written.at(jobs.ids[i]).at("energy").get<double>(),
              computeOrReason(*jobs.load(i).calculation).energy.total);
}

TEST_F(BatchRanks, ResumeGivesRanksNothingToDo) {
  std::ofstream(path_) << "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c";
  std::atomic<int> loads{0};
  BatchSummary summary;
  const BatchJobs jobs{{"a", "b"}, [&](std::size_t) {
                         ++loads;
                         return BatchItem{};
                       }};
  test::ThreadRanks(3).run([&](Ranks& ranks) {
    HostEnergyService service(1);
    const BatchSummary own = runBatch(service, jobs, {path_, true, 1}, ranks);
    if (ranks.rank() == 0) summary = own;
  });
  EXPECT_EQ(loads, 0);
  EXPECT_EQ(summary.skipped, 2u);
  EXPECT_EQ(lines().size(), 2u);
}

TEST_F(BatchRanks, AllRanksHearThatTheOutputIsRefused) {
  std::ofstream(path_) << "{\"id\":\"a\"}\n";
  std::atomic<int> refused{0};
  test::ThreadRanks(4).run([&](Ranks& ranks) {
    HostEnergyService service(1);
    try {
      runBatch(service, manyJobs(), {path_, false, 1}, ranks);
    } catch (const SharedError& e) {
      EXPECT_NE(std::string(e.what()).find("resume"), std::string::npos) << e.what();
      ++refused;
    }
  });
  EXPECT_EQ(refused, 4);
}

/// A service that has something to say.
class Talkative : public HostEnergyService {
 public:
  explicit Talkative(std::vector<std::string> notes) : HostEnergyService(1), notes_(std::move(notes)) {}
  std::vector<std::string> notes() const override { return notes_; }

 private:
  std::vector<std::string> notes_;
};

TEST_F(BatchRanks, NotesOfAllServicesReachTheSummary) {
  Talkative one({"slow today"});
  EXPECT_EQ(runBatch(one, std::vector<BatchItem>{}, {path_, false}).notes,
            std::vector<std::string>{"slow today"});
  BatchSummary summary;
  test::ThreadRanks(3).run([&](Ranks& ranks) {
    Talkative service(ranks.rank() == 1 ? std::vector<std::string>{"GPU 0 failed", "3 jobs left"}
                                        : std::vector<std::string>{});
    const BatchSummary own = runBatch(service, BatchJobs{}, {path_, false}, ranks);
    if (ranks.rank() == 0) summary = own;
  });
  EXPECT_EQ(summary.notes, (std::vector<std::string>{"rank 1: GPU 0 failed", "rank 1: 3 jobs left"}));
}

TEST(ShareOf, ShrinksTowardsTheEndAndEvensOut) {
  EXPECT_EQ(shareOf(4000, 0, 4, 1024), 500u);
  EXPECT_EQ(shareOf(4000, 500, 4, 1024), 250u);
  EXPECT_EQ(shareOf(4000, 1000, 4, 1024), 64u);  // has its part already
  EXPECT_EQ(shareOf(3, 0, 4, 2), 1u);
  EXPECT_EQ(shareOf(1000000, 0, 4, 2), 32u);
  EXPECT_EQ(shareOf(1000, 0, 1, 1024), 1000u);
}

}  // namespace
}  // namespace prophet

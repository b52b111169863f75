#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "atoms/calculation/compute.hpp"
#include "atoms/service/batch_run.hpp"
#include "atoms/service/energy_service.hpp"
#include "library_calculation.hpp"

namespace prophet {
namespace {

constexpr int kKilledJobs = 60;

std::vector<BatchItem> jobs() {
  std::vector<BatchItem> list;
  for (int i = 0; i < kKilledJobs; ++i) {
    list.push_back({"job-" + std::to_string(i), test::libraryCalculation(2 + i % 4, 1.0 + 0.001 * i), ""});
  }
  return list;
}

/// Runs the batch in a child process; true if it came to its end, false if the kill came first.
bool runAndKill(const std::filesystem::path& path, int microseconds) {
  const pid_t child = fork();
  if (child == 0) {
    HostEnergyService service(2);
    runBatch(service, jobs(), {path, true});
    _exit(0);
  }
  usleep(static_cast<useconds_t>(microseconds));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status);
}

TEST(KillAndResume, FinishesEveryJobExactlyOnce) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("prophet_kill_" + std::to_string(getpid()) + ".jsonl");
  std::filesystem::remove(path);
  std::mt19937 random(20261121);
  std::uniform_int_distribution<int> moment(5000, 60000);
  int kills = 0;
  while (kills < 12 && !runAndKill(path, moment(random))) ++kills;
  // A kill inside a write is rare; this is what it would leave.
  std::ofstream(path, std::ios::app) << "{\"id\":\"job-";
  HostEnergyService service(2);
  const BatchSummary summary = runBatch(service, jobs(), {path, true});
  EXPECT_EQ(summary.failed + summary.notConverged, 0u);
  EXPECT_EQ(summary.skipped + summary.converged, static_cast<std::size_t>(kKilledJobs));

  std::map<std::string, double> energies;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_TRUE(energies.emplace(json["id"], json["energy"]).second) << json["id"] << " came twice";
  }
  ASSERT_EQ(energies.size(), static_cast<std::size_t>(kKilledJobs));
  const std::vector<BatchItem> list = jobs();
  for (const int i : {0, 17, 59})
    EXPECT_EQ(energies[list[i].id], computeOrReason(*list[i].calculation).energy.total);
  EXPECT_GT(kills, 0);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace prophet

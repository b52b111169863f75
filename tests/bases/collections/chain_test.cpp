#include "bases/collections/chain.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <fstream>
#include <mutex>

#include "atoms/calculation/compute.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/error.hpp"
#include "tests/bases/optimise/fixtures.hpp"

namespace prophet {
namespace {

constexpr double kHeliumLimit = -2.8618133228, kNeonLimit = -128.6919305259;

ChainTask atom(int z) {
  ChainTask task;
  task.problem.nucleus = test::gaussianNucleus(z);
  task.problem.configuration = parseConfiguration(groundConfiguration(z));
  return task;
}

void expectEqualChains(const ChainResult& a, const ChainResult& b) {
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.fits, b.fits);
  EXPECT_EQ(a.spec.functions, b.spec.functions);
  ASSERT_EQ(a.spec.groups.size(), b.spec.groups.size());
  for (std::size_t g = 0; g < a.spec.groups.size(); ++g) {
    EXPECT_EQ(a.spec.groups[g].alpha, b.spec.groups[g].alpha);
    EXPECT_EQ(a.spec.groups[g].gamma, b.spec.groups[g].gamma);
  }
}

TEST(Chain, HeliumWithItsOwnLimit) {
  HostEnergyService service(1);
  std::vector<std::string> log;
  const ChainResult result = runChain(atom(2), {}, service, [&](const std::string& l) { log.push_back(l); });
  EXPECT_TRUE(result.met);
  EXPECT_NEAR(result.limit, kHeliumLimit, 2e-10);
  EXPECT_GE(result.error, 0.0);
  EXPECT_LE(result.error, 5e-9);
  EXPECT_LE(result.spec.functions[0], 19);  // the best sets of 18 lie on the threshold, 4.9e-9 to 5.4e-9
  EXPECT_GE(log.size(), 3u);
  const Result check = computeOrReason(calculationIn(makeWellTempered(result.spec), atom(2).problem));
  EXPECT_EQ(check.energy.total, result.energy);
}

TEST(Chain, NeonNeedsFewerFunctionsForALargerThreshold) {
  HostEnergyService service(1);
  ChainTask task = atom(10);
  task.limit = kNeonLimit;
  const ChainResult fine = runChain(task, {}, service);
  ChainOptions options;
  options.threshold = 1e-7;
  const ChainResult coarse = runChain(task, options, service);
  ASSERT_TRUE(fine.met && coarse.met);
  int fineSum = 0, coarseSum = 0;
  for (int a = 0; a < 3; ++a) {
    fineSum += fine.spec.functions[a];
    coarseSum += coarse.spec.functions[a];
  }
  EXPECT_LE(fineSum, 55);  // Hennessey (2018): 23s 16p, 55 functions, 5e-9
  EXPECT_LE(coarseSum, fineSum - 6);
  EXPECT_LE(coarse.error, 1e-7);
  EXPECT_GT(coarse.error, 5e-9);
}

/// Measures as the host does, and leaves every third trial to it.
class HostAsDevice : public TrialDevice {
 public:
  std::string name() const override { return "fake"; }
  int keep(const FieldTable& table) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    tables_.push_back(table);
    return static_cast<int>(tables_.size()) - 1;
  }
  void drop(int) override {}
  int kinds() const override { return 1; }
  int kindOf(int, bool) const override { return 0; }
  int workers() const override { return 2; }
  int mostTrials() const override { return 4; }
  std::vector<TrialOutcome> measure(int, const std::vector<Trial>& trials) override {
    std::vector<TrialOutcome> outcomes;
    for (const Trial& trial : trials) {
      const std::lock_guard<std::mutex> lock(mutex_);
      const bool left = ++asked_ % 3 == 0;
      if (left) {
        outcomes.push_back({});
        continue;
      }
      const FieldTable& table = tables_[static_cast<std::size_t>(trial.table)];
      TrialOutcome outcome{{}, {}, {}, true};
      if (trial.slopes) {
        const ShortfallSlopes s = table.shortfallWithSlopes(trial.exponents);
        outcome = {{s.rise, s.prolapse}, s.ofRise, s.ofProlapse, true};
      } else {
        outcome.shortfall = table.shortfall(trial.exponents);
      }
      outcomes.push_back(outcome);
    }
    return outcomes;
  }

 private:
  std::mutex mutex_;
  std::deque<FieldTable> tables_;
  int asked_ = 0;
};

TEST(Chain, TheResultDoesNotDependOnWhoMeasuresAndHowManySymmetriesAtOnce) {
  HostEnergyService service(1);
  ChainTask task = atom(7);
  task.limit = -54.4046;
  ChainOptions options;
  options.threshold = 2e-6;
  options.fit.maxEvaluations = 60;
  const ChainResult alone = runChain(task, options, service);
  TrialGatherer device(std::make_unique<HostAsDevice>());
  Permits permits(2);
  options.sideBySide = 3;
  options.trials = {&device, &permits};
  expectEqualChains(runChain(task, options, service), alone);
  EXPECT_GT(device.tally().measured, static_cast<std::size_t>(alone.evaluations) / 2);
}

TEST(Chain, AThresholdThatCannotBeMetIsReported) {
  HostEnergyService service(1);
  ChainTask task = atom(2);
  task.limit = -2.95;  // not the limit of anything
  ChainOptions options;
  options.threshold = 1e-9;
  options.fit.maxEvaluations = 10;
  options.fitPasses = 1;
  const ChainResult result = runChain(task, options, service);
  EXPECT_FALSE(result.met);
  EXPECT_GT(result.error, 1e-2);
}

TEST(Chain, AKilledRunResumesToTheSameSet) {
  const test::Folder folder;
  ChainTask task = atom(10);
  task.limit = kNeonLimit;
  ChainOptions options;
  HostEnergyService service(1);
  const ChainResult whole = runChain(task, options, service);

  options.stateFile = folder / "state";
  for (const int killAt : {2, 4}) {
    options.resume = killAt > 2;
    const pid_t child = fork();
    if (child == 0) {
      HostEnergyService own(1);
      int lines = 0;
      runChain(task, options, own, [&](const std::string&) {
        if (++lines == killAt) kill(getpid(), SIGKILL);
      });
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  std::ofstream(options.stateFile, std::ios::app) << "fit 0 24 0.1";  // cut off
  options.resume = true;
  expectEqualChains(runChain(task, options, service), whole);
  // Everything is recorded now: a further run only repeats the SCF.
  expectEqualChains(runChain(task, options, service), whole);
  options.threshold = 1e-8;
  EXPECT_THROW(runChain(task, options, service), Error);  // the state of another run
}

}  // namespace
}  // namespace prophet

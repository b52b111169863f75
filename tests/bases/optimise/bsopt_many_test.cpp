#include "bases/optimise/bsopt.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "atoms/service/energy_service.hpp"
#include "tests/bases/optimise/fixtures.hpp"

namespace prophet {
namespace {

/// Counts the energies under way at once; lets them wait until there are `wanted`, or the first search ends.
class Counting : public EnergyService {
 public:
  explicit Counting(EnergyService& inner) : inner_(inner) {}
  void submit(Calculation request, Callback done) override {
    const int now = ++underWay_;
    int most = most_;
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
    inner_.submit(std::move(request), [this, done](Result outcome) {
      --underWay_;
      done(std::move(outcome));
    });
  }
  std::string description() const override { return "counting"; }
  int most() const { return most_; }

 private:
  EnergyService& inner_;
  std::atomic<int> underWay_{0}, most_{0};
};

void expectEqual(const BsoptResult& a, const BsoptResult& b) {
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(inputBlock(a.spec), inputBlock(b.spec));
}

TEST(BsoptMany, GroupsMoveByThemselvesAndManyStartsRunAtOnce) {
  BsoptTask task = test::fromTheTable(5);
  const WellTemperedParameters p = task.spec.groups[0];
  task.spec.groups = {p, p};
  task.spec.group = {1, 2, 2};
  BsoptOptions options;
  options.minimiser.maxEvaluations = 40;
  HostEnergyService service(2);
  const BsoptManyResult all = runBsoptMany(task, scatteredStarts(task.spec, 2, 0.05), options, service);
  ASSERT_EQ(all.starts.size(), 2u);
  EXPECT_EQ(all.evaluations, 80);
  for (const BsoptStartResult& s : all.starts) {
    EXPECT_EQ(s.failure, "");
    EXPECT_LT(s.result.energy, s.result.startEnergy);
    EXPECT_NE(s.result.spec.groups[0].alpha, s.result.spec.groups[1].alpha);
    EXPECT_LE(all.starts[all.best].result.energy, s.result.energy);
  }
  expectEqual(all.starts[0].result, runBsopt(task, options, service));
}

TEST(BsoptMany, KeepsAnEnergyUnderWayForEachStart) {
  const BsoptTask task = test::fromTheTable(2);
  BsoptOptions options;
  options.minimiser.maxEvaluations = 20;
  HostEnergyService host(1);
  Counting service(host);
  runBsoptMany(task, scatteredStarts(task.spec, 64, 0.2), options, service);
  EXPECT_GT(service.most(), 56);
  EXPECT_LE(service.most(), 64);
}

TEST(BsoptMany, StartsAreAlwaysTheSameAndNearby) {
  const WellTemperedSpec spec = test::fromTheTable(10).spec;
  const auto starts = scatteredStarts(spec, 5, 0.1), again = scatteredStarts(spec, 5, 0.1);
  ASSERT_EQ(starts.size(), 5u);
  EXPECT_EQ(inputBlock(starts[0]), inputBlock(spec));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(inputBlock(starts[i]), inputBlock(again[i]));
    EXPECT_LE(std::abs(std::log(starts[i].groups[0].alpha / spec.groups[0].alpha)), 0.1 + 1e-12);
    EXPECT_NE(starts[i].groups[0].alpha, starts[(i + 1) % 5].groups[0].alpha);
  }
}

TEST(BsoptMany, AStartThatFailsDoesSoAlone) {
  const BsoptTask task = test::fromTheTable(2);
  WellTemperedSpec bad = task.spec;
  bad.groups[0].beta = 1e100;  // overflows
  BsoptOptions options;
  options.minimiser.maxEvaluations = 10;
  HostEnergyService service(1);
  const BsoptManyResult all = runBsoptMany(task, {bad, task.spec}, options, service);
  EXPECT_NE(all.starts[0].failure.find("exponent 2 of the ladder"), std::string::npos)
      << all.starts[0].failure;
  EXPECT_EQ(all.starts[1].failure, "");
  EXPECT_EQ(all.best, 1u);
  EXPECT_THROW(runBsoptMany(task, {bad, bad}, options, service), NoStartEnergy);
}

TEST(BsoptMany, AStoppedRunGoesOnToTheSameResults) {
  const test::Folder folder;
  const BsoptTask task = test::fromTheTable(2);
  const auto starts = scatteredStarts(task.spec, 3, 0.2);
  BsoptOptions options;
  options.minimiser.maxEvaluations = 40;
  HostEnergyService service(2);
  const BsoptManyResult whole = runBsoptMany(task, starts, options, service);

  options.stateFile = folder / "state";
  options.bestFile = folder / "best";
  EXPECT_THROW(runBsoptMany(task, starts, options, service,
                            [](std::size_t, const BsoptStep& step) {
                              if (step.evaluation == 17) throw std::runtime_error("stopped");
                            }),
               std::runtime_error);
  std::filesystem::remove(options.stateFile + ".2");  // as if killed before it began
  options.resume = true;
  const BsoptManyResult resumed = runBsoptMany(task, starts, options, service);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    expectEqual(resumed.starts[i].result, whole.starts[i].result);
    EXPECT_EQ(resumed.starts[i].result.replayed, i == 2 ? 0 : 17);
  }
  EXPECT_EQ(resumed.best, whole.best);
  std::ostringstream best;
  best << std::ifstream(options.bestFile).rdbuf();
  EXPECT_EQ(best.str(), bestSetText(task.problem.nucleus, whole.starts[whole.best].result));
}

}  // namespace
}  // namespace prophet

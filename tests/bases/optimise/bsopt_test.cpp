#include "bases/optimise/bsopt.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "atoms/service/energy_service.hpp"
#include "core/common/error.hpp"
#include "fixtures.hpp"

namespace prophet {
namespace {

constexpr double kHeliumGoal = -2.8618133122;

void expectEqualSearches(const BsoptResult& a, const BsoptResult& b) {
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.evaluations, b.evaluations);
  ASSERT_EQ(a.spec.groups.size(), b.spec.groups.size());
  for (std::size_t g = 0; g < a.spec.groups.size(); ++g) {
    EXPECT_EQ(a.spec.groups[g].alpha, b.spec.groups[g].alpha);
    EXPECT_EQ(a.spec.groups[g].beta, b.spec.groups[g].beta);
    EXPECT_EQ(a.spec.groups[g].delta, b.spec.groups[g].delta);
    EXPECT_EQ(a.spec.groups[g].gamma, b.spec.groups[g].gamma);
  }
}

/// Answers like another service, with scripted failures.
class Failing : public EnergyService {
 public:
  Failing(EnergyService& inner, int every) : inner_(inner), every_(every) {}
  void submit(Calculation request, Callback done) override {
    const int number = ++count_;
    inner_.submit(std::move(request), [=, this](Result outcome) {
      if (number % every_ == 0) outcome.status = Status::NotConverged;
      if (number % every_ == 1 && number > 1) outcome.energy.total = NAN;
      if (number % every_ == 2 && number > 2) outcome.energy.total = -1e9;
      done(outcome);
    });
  }
  std::string description() const override { return "failing"; }

 private:
  EnergyService& inner_;
  int every_, count_ = 0;
};

/// Keeps no spinors, like a GPU's batches, and counts.
class Forgetful : public EnergyService {
 public:
  explicit Forgetful(EnergyService& inner) : inner_(inner) {}
  void submit(Calculation request, Callback done) override {
    ++count;
    request.inBasis().keepSpinors = false;
    inner_.submit(std::move(request), std::move(done));
  }
  std::string description() const override { return "forgetful"; }
  int count = 0;

 private:
  EnergyService& inner_;
};

TEST(Bsopt, HeliumReachesTheTablesEnergyFromItsParameters) {
  HostEnergyService service(1);
  const BsoptTask task = test::fromTheTable(2);
  const BsoptResult result = runBsopt(task, {}, service);
  EXPECT_LE(result.energy, kHeliumGoal);
  EXPECT_GE(result.energy, -2.8618133228);  // the numerical limit
  EXPECT_LE(result.energy, result.startEnergy);
  EXPECT_EQ(result.failures, 0);
  EXPECT_EQ(result.spec.functions, task.spec.functions);
}

TEST(Bsopt, FailingEnergiesDoNotEndTheRun) {
  HostEnergyService host(1);
  Failing service(host, 9);
  const BsoptResult result = runBsopt(test::fromTheTable(2), {}, service);
  EXPECT_GT(result.failures, 5);
  EXPECT_LE(result.energy, result.startEnergy);
  EXPECT_GE(result.energy, -2.8618133228);
}

TEST(Bsopt, WarmStartsSaveIterationsAndChangeNothing) {
  HostEnergyService service(1);
  for (const int z : {5, 10, 24}) {
    BsoptTask task = test::fromTheTable(z);
    BsoptOptions options;
    options.minimiser.maxEvaluations = 30;
    int coldIterations = 0;
    const BsoptResult result = runBsopt(task, options, service, [&](const BsoptStep& s) {
      WellTemperedSpec spec = task.spec;
      spec.groups = s.groups;
      const Result cold = service.evaluate(calculationIn(makeWellTempered(spec), task.problem, task.scf));
      coldIterations += cold.iterations;
      EXPECT_NEAR(s.energy, cold.energy.total, 1e-12 * std::abs(s.energy)) << z << ' ' << s.evaluation;
    });
    EXPECT_EQ(result.evaluations, 30);
    EXPECT_LT(result.scfIterations, 0.6 * coldIterations) << z;
    options.warmStarts = false;
    EXPECT_GT(runBsopt(task, options, service).scfIterations, result.scfIterations) << z;
  }
}

TEST(Bsopt, StopsAtTheTarget) {
  HostEnergyService service(1);
  BsoptTask task = test::fromTheTable(10);
  task.spec.groups[0].alpha *= 1.1;
  BsoptOptions options;
  const BsoptResult whole = runBsopt(task, options, service);
  options.target = 0.5 * (whole.startEnergy + whole.energy);
  const BsoptResult early = runBsopt(task, options, service);
  EXPECT_EQ(early.reason, StopReason::Target);
  EXPECT_LE(early.energy, *options.target);
  EXPECT_LT(early.evaluations, whole.evaluations);
}

TEST(Bsopt, EnergiesBelowTheFloorAreNotSought) {
  HostEnergyService service(1);
  const BsoptTask task = test::fromTheTable(10);
  const BsoptResult free = runBsopt(task, {}, service);
  BsoptOptions options;
  options.floor = 0.5 * (free.startEnergy + free.energy);  // stands for a numerical limit
  const BsoptResult held = runBsopt(task, options, service);
  EXPECT_NEAR(held.energy, *options.floor, 0.2 * (free.startEnergy - free.energy));
  EXPECT_GT(held.energy, free.energy);
}

TEST(Bsopt, AStartWithoutAnEnergyIsAnError) {
  HostEnergyService service(1);
  BsoptTask task = test::fromTheTable(2);
  task.scf.maxIterations = 2;
  EXPECT_THROW(runBsopt(task, {}, service), Error);
}

TEST(Bsopt, AKilledRunLosesNothingAndResumesToTheSameSet) {
  const test::Folder folder;
  const BsoptTask task = test::fromTheTable(2);
  BsoptOptions options;
  options.minimiser.maxEvaluations = 60;
  HostEnergyService service(1);
  const BsoptResult whole = runBsopt(task, options, service);

  options.stateFile = folder / "state";
  options.bestFile = folder / "best.inp";
  for (const int killAt : {13, 38}) {
    options.resume = killAt > 13;
    struct Stop : std::exception {};
    EXPECT_THROW(runBsopt(task, options, service,
                          [&](const BsoptStep& step) {
                            if (step.evaluation == killAt) throw Stop();
                          }),
                 Stop);
    EXPECT_TRUE(std::filesystem::exists(options.bestFile));
  }
  std::ofstream(options.stateFile, std::ios::app) << "e -2.86";  // cut off in the middle of a line
  options.resume = true;
  const BsoptResult resumed = runBsopt(task, options, service);
  EXPECT_EQ(resumed.replayed, 38);
  expectEqualSearches(resumed, whole);
}

/// A service without spinors has nothing that a replay could bring back.
TEST(Bsopt, AReplayRepeatsNoScfsForAServiceThatKeepsNoSpinors) {
  const test::Folder folder;
  const BsoptTask task = test::fromTheTable(2);
  BsoptOptions options;
  options.stateFile = folder / "state";
  HostEnergyService host(1);
  Forgetful service(host);
  options.minimiser.maxEvaluations = 40;
  struct Stop : std::exception {};
  int improvements = 0;
  EXPECT_THROW(runBsopt(task, options, service,
                        [&](const BsoptStep& step) {
                          improvements += step.improved ? 1 : 0;
                          if (step.evaluation == 30) throw Stop();
                        }),
               Stop);
  ASSERT_GT(improvements, 2);
  options.resume = true;
  service.count = 0;
  EXPECT_EQ(runBsopt(task, options, service).replayed, 30);
  // The first and the best energy once more, to see whether the state is this run's, and ten new ones.
  EXPECT_EQ(service.count, 12);
}

TEST(Bsopt, SurvivesSigkill) {
  const test::Folder folder;
  const BsoptTask task = test::fromTheTable(2);
  BsoptOptions options;
  options.minimiser.maxEvaluations = 50;
  options.stateFile = folder / "state";
  const pid_t child = fork();
  if (child == 0) {
    HostEnergyService service(1);
    runBsopt(task, options, service, [](const BsoptStep& step) {
      if (step.evaluation == 21) kill(getpid(), SIGKILL);
    });
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  HostEnergyService service(1);
  options.resume = true;
  const BsoptResult resumed = runBsopt(task, options, service);
  EXPECT_EQ(resumed.replayed, 21);
  options.stateFile.clear();
  options.resume = false;
  expectEqualSearches(resumed, runBsopt(task, options, service));
}

TEST(Bsopt, AnotherRunsStateIsRefused) {
  const test::Folder folder;
  BsoptTask task = test::fromTheTable(2);
  BsoptOptions options;
  options.minimiser.maxEvaluations = 10;
  options.stateFile = folder / "state";
  HostEnergyService service(1);
  runBsopt(task, options, service);
  EXPECT_THROW(runBsopt(task, options, service), Error);  // without resume
  options.resume = true;
  task.spec.groups[0].alpha *= 1.01;
  EXPECT_THROW(runBsopt(task, options, service), Error);
}

TEST(Bsopt, TheInputBlockOfANucleusNamesModelAndSize) {
  NucleusRequest request;
  request.charge = 18;
  EXPECT_EQ(inputBlock(makeNucleus(request)), " $nuc znuc=18 nucmdl=1 $end\n");
  request.model = NuclearModel::Gaussian;
  EXPECT_EQ(inputBlock(makeNucleus(request)), " $nuc znuc=18 nucmdl=3 mass=40 $end\n");
  request.exponent = 1e9 / 3;
  EXPECT_EQ(inputBlock(makeNucleus(request)), " $nuc znuc=18 nucmdl=3 alpha=333333333.3333333 $end\n");
  request.exponent.reset();
  request.model = NuclearModel::Sphere;
  request.radius = 1e-4;
  EXPECT_EQ(inputBlock(makeNucleus(request)), " $nuc znuc=18 nucmdl=2 rnuc=0.0001 $end\n");
}

TEST(Bsopt, TheInputBlockHoldsAllDigits) {
  WellTemperedSpec spec{{{0.1, 1.9, 1.0 / 3.0, 2.0}, {0.2, 1.8, 4.0, 1.5}}, {18, 9}, {1, 3}, {1, 2}, {}};
  EXPECT_EQ(inputBlock(spec),
            " $bas nsym=2 bastype='wtbs' ngroup=2 $end\n"
            " $wtbs\n"
            "  wtbspara=0.1, 1.9, 0.3333333333333333, 2,\n"
            "           0.2, 1.8, 4, 1.5\n"
            "  nbs=18,9\n"
            "  start=1,3\n"
            "  groups=1,2\n"
            "  pool='symmetry'\n"
            " $end\n");
}

}  // namespace
}  // namespace prophet

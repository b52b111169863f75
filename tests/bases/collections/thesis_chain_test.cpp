#include "bases/collections/thesis_chain.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "atoms/basis/well_tempered.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/error.hpp"
#include "tests/bases/optimise/fixtures.hpp"

namespace prophet {
namespace {

ChainTask atom(int z, double limit) {
  ChainTask task;
  task.problem.nucleus = test::gaussianNucleus(z);
  task.problem.configuration = parseConfiguration(groundConfiguration(z));
  task.limit = limit;
  return task;
}

const ChainTask kHelium = atom(2, -2.8618133228), kNeon = atom(10, -128.691930525976);

void expectEqual(const ChainResult& a, const ChainResult& b) {
  EXPECT_EQ(inputBlock(a.spec), inputBlock(b.spec));
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.fits, b.fits);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

TEST(SharedLadder, CoversTheRangesOfTheUniversalSet) {
  const ChainTask xenon = atom(54, -7446.9);
  const BasisSet shared =
      makeWellTempered(sharedLadderSpec(xenon.problem.nucleus, xenon.problem.configuration, 1.6));
  const BasisSet universal =
      makeWellTempered(universalSpec(xenon.problem.nucleus, xenon.problem.configuration, 1.6));
  ASSERT_EQ(shared.symmetries.size(), universal.symmetries.size());
  for (std::size_t a = 0; a < shared.symmetries.size(); ++a) {
    const auto &mine = shared.symmetries[a].exponents, &all = universal.symmetries[a].exponents;
    EXPECT_LE(mine.front(), 1.7 * all.front()) << a;
    EXPECT_GE(mine.back(), all.back() / 1.7) << a;
    EXPECT_LT(mine.size(), all.size()) << a;  // the steps grow towards the tight end
  }
  EXPECT_EQ(shared.symmetries[1].exponents, shared.symmetries[2].exponents);
}

TEST(ThesisChain, HeliumNeedsNoMoreFunctionsThanTheTable) {
  HostEnergyService service(2);
  const ChainResult result = runThesisChain(kHelium, {}, service);
  EXPECT_TRUE(result.met);
  EXPECT_LE(result.spec.functions[0], 18);
  EXPECT_EQ(result.spec.groups.size(), 1u);
  const Result check = computeOrReason(calculationIn(makeWellTempered(result.spec), kHelium.problem));
  EXPECT_NEAR(check.energy.total, result.energy, 1e-12 * std::abs(result.energy));
  EXPECT_LE((result.energy - *kHelium.limit) / 2.8618133228, 5e-9);
}

/// A coarse threshold and few functions to begin with, for speed.
ThesisChainOptions coarse() {
  ThesisChainOptions options;
  options.threshold = 1e-6;
  options.start = WellTemperedSpec{{{0.05, 1.9, 5.0, 1.4}}, {20, 14, 14}, {1, 1, 1}, {1, 1, 1}, {}};
  options.minimiser.maxEvaluations = 60;
  return options;
}

TEST(ThesisChain, ShrinksBothEndsAndBothSymmetriesOfAnL) {
  HostEnergyService one(1), three(3);
  std::vector<std::string> log;
  const ChainResult result =
      runThesisChain(kNeon, coarse(), one, [&](const std::string& line) { log.push_back(line); });
  ASSERT_TRUE(result.met) << result.error;
  EXPECT_LT(result.spec.functions[0], 20);
  EXPECT_LT(result.spec.functions[1], 14);
  EXPECT_EQ(result.spec.functions[1], result.spec.functions[2]);
  EXPECT_EQ(result.spec.start[1], result.spec.start[2]);
  EXPECT_GE(log.size(), 5u);  // the start and the four steps for s and p
  expectEqual(runThesisChain(kNeon, coarse(), three), result);
}

/// What the published sets are for: all s functions begin at the first exponent of the pool.
TEST(ThesisChain, ShrinksNonRelativisticSetsOfOnePool) {
  HostEnergyService service(2);
  ChainTask task = kNeon;
  task.problem.nucleus = makeNucleus({NuclearModel::Point, 10.0, {}, {}, {}, {}, {}});
  task.problem.hamiltonian.oneElectron = OneElectronOperator::Nonrelativistic;
  task.limit = -128.547098109381;
  ThesisChainOptions options = coarse();
  options.start->pool = LadderPool::Shared;
  const ChainResult result = runThesisChain(task, options, service);
  ASSERT_TRUE(result.met) << result.error;
  EXPECT_GT(result.error, 0.0);
  EXPECT_EQ(result.spec.pool, LadderPool::Shared);
  EXPECT_EQ(result.spec.start[0], 1);
  EXPECT_LT(result.spec.functions[0] + result.spec.functions[1], 34);
  Calculation check = calculationIn(makeWellTempered(result.spec), task.problem);
  EXPECT_NEAR(computeOrReason(check).energy.total, result.energy, 1e-12 * std::abs(result.energy));
}

/// d functions of neon would stay for ever: they cost nothing.
TEST(ThesisChain, LeavesOutSymmetriesWithoutElectrons) {
  HostEnergyService service(2);
  ThesisChainOptions options = coarse();
  options.start->functions = {20, 14, 14, 10, 10};
  options.start->start = options.start->group = {1, 1, 1, 1, 1};
  ChainTask task = kNeon;
  task.problem.configuration = parseConfiguration(groundConfiguration(10), 5);
  expectEqual(runThesisChain(task, options, service), runThesisChain(kNeon, coarse(), service));
}

TEST(OccupiedPart, NumbersTheRemainingGroupsAnew) {
  const WellTemperedParameters s{1, 2, 3, 4}, d{2, 3, 4, 5}, p{3, 4, 5, 6};
  const WellTemperedSpec all{{s, d, p}, {9, 8, 7, 6, 5}, {1, 2, 3, 4, 5}, {1, 3, 3, 2, 2}, {}};
  const WellTemperedSpec part = occupiedPart(all, parseConfiguration(groundConfiguration(10), 7));
  EXPECT_EQ(inputBlock(part), inputBlock({{s, p}, {9, 8, 7}, {1, 2, 3}, {1, 2, 2}, {}}));
  EXPECT_THROW(occupiedPart(part, parseConfiguration(groundConfiguration(21))), Error);
}

TEST(ThesisChain, AStoppedRunGoesOnToTheSameSet) {
  const test::Folder folder;
  HostEnergyService service(2);
  const ChainResult whole = runThesisChain(kNeon, coarse(), service);
  ThesisChainOptions options = coarse();
  options.stateFile = folder / "state";
  options.bestFile = folder / "best";
  for (const int stopAt : {2, 4}) {
    int lines = 0;
    EXPECT_THROW(runThesisChain(kNeon, options, service,
                                [&](const std::string&) {
                                  if (++lines == stopAt) throw std::runtime_error("stopped");
                                }),
                 std::runtime_error);
    EXPECT_TRUE(std::filesystem::exists(options.bestFile));
    options.resume = true;
  }
  expectEqual(runThesisChain(kNeon, options, service), whole);
  options.probes = 7;
  EXPECT_THROW(runThesisChain(kNeon, options, service), Error);  // the state of another run
}

TEST(ThesisChain, AStartThatMissesTheThresholdIsReported) {
  HostEnergyService service(2);
  ThesisChainOptions options = coarse();
  options.start->functions = {8, 5, 5};
  const ChainResult result = runThesisChain(kNeon, options, service);
  EXPECT_FALSE(result.met);
  EXPECT_GT(result.error, 1e-6);
  EXPECT_EQ(result.spec.functions, options.start->functions);
}

}  // namespace
}  // namespace prophet

#include "operations/execution/execution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "core/ranks/ranks.hpp"
#include "operations/request/setting.hpp"
#include "tests/core/ranks/thread_ranks.hpp"

namespace prophet {
namespace {

using ::testing::HasSubstr;

/// What each of three ranks hears of a step that goes wrong on one of them.
std::array<std::string, 3> heard(int wrong, const std::function<void()>& step) {
  std::array<std::string, 3> texts;
  test::ThreadRanks(3).run([&](Ranks& ranks) {
    Execution execution;
    execution.ranks = &ranks;
    std::string& text = texts[static_cast<std::size_t>(ranks.rank())];
    try {
      execution.together([&] {
        if (ranks.rank() == wrong) step();
      });
    } catch (const RequestErrors& e) {
      text = "settings, " + e.problems().front().setting + ": " + e.problems().front().message;
    } catch (const SharedError& e) {
      text = e.what();
    }
  });
  return texts;
}

TEST(Execution, RanksShareTheProblemsOfOne) {
  for (const std::string& text : heard(0, [] { throw SettingError("csv", "is \xE4 folder"); }))
    EXPECT_EQ(text.substr(0, text.find('\xC3')), "settings, csv: is ");
  for (const std::string& text : heard(2, [] { throw Error("the disk is full"); }))
    EXPECT_EQ(text, "rank 2: the disk is full");
  for (const std::string& text : heard(1, [] {})) EXPECT_EQ(text, "");
}

/// Without any GPU: the note tells whether one was tried.
TEST(Execution, TrialsAreLeftToTheHostUnlessAGpuIsAskedForOrWorthIt) {
  Execution execution;
  execution.cudaLibrary = "/nowhere/libnone.so";
  EXPECT_EQ(openEngine<TrialGatherer>(execution, false).note, "");
  EXPECT_THAT(openEngine<TrialGatherer>(execution, true).note,
              HasSubstr("CPU, because this program was built"));
  EXPECT_EQ(openEngine<TrialGatherer>(execution, true).engine, nullptr);
  execution.devices = {0};
  EXPECT_THAT(openEngine<TrialGatherer>(execution, false).note, HasSubstr("CPU, because"));
  execution.backend = BackendRequest::Cuda;
  EXPECT_THROW(openEngine<TrialGatherer>(execution, false), Error);
  execution.backend = BackendRequest::Cpu;
  EXPECT_EQ(openEngine<TrialGatherer>(execution, true).note, "");
}

/// Likewise; 8 charges of rock salt.
TEST(Execution, SumsOfChargesAreFormedWhereTheyShallBe) {
  Eigen::VectorXd charges(8);
  Eigen::Matrix3Xd places(3, 8);
  for (int i = 0; i < 8; ++i) {
    places.col(i) = 5 * Eigen::Vector3d(i % 2, i / 2 % 2, i / 4);
    charges(i) = (i + i / 2 + i / 4) % 2 ? -1 : 1;
  }
  const auto sums = [&](BackendRequest backend, std::optional<bool> ewald) {
    Execution execution;
    execution.cudaLibrary = "/nowhere/libnone.so";
    execution.backend = backend;
    ChargeSumOptions options;
    options.ewald = ewald;
    options.mesh.tolerance = 1e-4;
    placeChargeSums(execution, options);
    return ChargeSums(charges, options).compute(10 * Eigen::Matrix3d::Identity(), places).energy;
  };
  const double exact = sums(BackendRequest::Automatic, {});
  EXPECT_NEAR(exact, -8 * 1.747564594633182 / 10, 1e-10);
  EXPECT_NEAR(sums(BackendRequest::Automatic, false), exact, 1e-3);
  EXPECT_NEAR(sums(BackendRequest::Cpu, false), exact, 1e-3);
  EXPECT_THROW(sums(BackendRequest::Cuda, {}), Error);
  EXPECT_THROW(sums(BackendRequest::Cuda, true), Error);
}

}  // namespace
}  // namespace prophet

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
  EXPECT_EQ(openTrials(execution, false).note, "");
  EXPECT_THAT(openTrials(execution, true).note, HasSubstr("CPU, because this program was built"));
  EXPECT_EQ(openTrials(execution, true).engine, nullptr);
  execution.devices = {0};
  EXPECT_THAT(openTrials(execution, false).note, HasSubstr("CPU, because"));
  execution.backend = BackendRequest::Cuda;
  EXPECT_THROW(openTrials(execution, false), Error);
  execution.backend = BackendRequest::Cpu;
  EXPECT_EQ(openTrials(execution, true).note, "");
}

}  // namespace
}  // namespace prophet

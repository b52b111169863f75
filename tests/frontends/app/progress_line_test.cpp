#include "frontends/app/progress_line.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "terminal.hpp"

namespace prophet {
namespace {

using test::contains;
using test::onTerminal;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

TEST(ProgressText, HasCountRateAndTimeLeft) {
  EXPECT_EQ(progressText({12, 40, "jobs", "", false, 0}, 3.0),
            "[#########.....................] 12 of 40 jobs, 4.0 a second, 7.0 s left");
  EXPECT_EQ(progressText({1, 118, "elements", "", false, 0}, 20.0),
            "[..............................] 1 of 118 elements, 20 s each, 39 min 0 s left");
  EXPECT_EQ(
      progressText({250, 500, "evaluations", "best -1.5", true, 0}, 2.5),
      "[###############...............] 250 of 500 evaluations, 100 a second, at most 2.5 s left, best -1.5");
  EXPECT_EQ(progressText({1, 3, "jobs", "", false, 0}, 36000.0),
            "[##########....................] 1 of 3 jobs, 10 h 0 min each, 20 h 0 min left");
}

TEST(ProgressText, TimeLeftFollowsTheRateOfLate) {
  EXPECT_EQ(progressText({50, 100, "jobs", "", false, 2.0}, 5.0),
            "[###############...............] 50 of 100 jobs, 10 a second, 25 s left");
}

TEST(ProgressText, AtTheEndsThereIsNothingLeft) {
  EXPECT_EQ(progressText({0, 4, "jobs", "", false, 0}, 2.0),
            "[..............................] 0 of 4 jobs, 2.0 s");
  EXPECT_EQ(progressText({4, 4, "jobs", "", false, 0}, 2.0),
            "[##############################] 4 of 4 jobs, 2.0 s");
}

TEST(ProgressText, OfSharesAndOfUnknownWork) {
  EXPECT_EQ(progressText({50, 100, "%", "iteration 7", false, 0}, 3.0),
            "[###############...............] 50 %, 3.0 s left, iteration 7");
  EXPECT_EQ(progressText({0, 0, "", "searching", false, 0}, 3.0), "searching, 3.0 s");
}

void pause(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

TEST(ProgressLine, MovesByItselfAfterASecondAndGoes) {
  const std::string text = onTerminal([] {
    ProgressLine progress("steps", true);
    progress.show(1, 10);
    pause(2000);
    progress.print("a line\n");
    pause(300);
  });
  if (text.empty()) GTEST_SKIP() << "no pseudo-terminal here";
  EXPECT_TRUE(contains(text, "\r[###...........................] 1 of 10 steps, 1.")) << text;
  EXPECT_NE(text.find("1 of 10 steps"), text.rfind("1 of 10 steps")) << text;
  EXPECT_TRUE(contains(text, "\r\x1b[Ka line\r\n\r[###")) << text;
  EXPECT_EQ(text.substr(text.size() - 4), "\r\x1b[K") << text;
}

TEST(ProgressLine, IsNotSeenWhereItIsNotWantedOrTheWorkIsShort) {
  EXPECT_EQ(onTerminal([] {
              ProgressLine progress("steps", false);
              progress.show(1, 10);
              pause(1300);
            }),
            "");
  EXPECT_EQ(onTerminal([] {
              ProgressLine progress("steps", true);
              progress.show(1, 10);
              progress.print("a line\n");
            }),
            "a line\r\n");
}

TEST(ProgressLine, FitsIntoTheTerminal) {
  const std::string text = onTerminal([] {
    ProgressLine progress("steps", true, ProgressLine::When::AtOnce);
    progress.show(1, 10, std::string(200, 'x'));
  });
  if (text.empty()) GTEST_SKIP() << "no pseudo-terminal here";
  EXPECT_EQ(text.find("\x1b[K"), 80u) << text;  // behind the carriage return
}

const char* const kNeonSearch =
    "Neon\n$contrl jobtype='bsopt' $end\n$nuc znuc=10 nucmdl=3 $end\n$bas bastype='wtbs' $end\n"
    "$wtbs wtbspara=0.1,1.9,5,1.4 nbs=18,12,12 $end\n$newuoa maxfun=30 $end\n";

TEST(ProgressLine, BsoptStatesTheErrorAndPrintsFewLines) {
  const Scratch s;
  s.write("ne.inp", kNeonSearch);
  const ProgramRun o = s.run("ne.inp --json ne.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(contains(o.out, "above the complete-basis limit")) << o.out;
  EXPECT_FALSE(contains(o.out, "best so far")) << o.out;
  const auto json = nlohmann::json::parse(readFile(s.path() / "ne.json"));
  const double limit = -128.69193052;  // Gaussian nucleus
  EXPECT_NEAR(json.at("energy").get<double>() - json.at("error_estimate").get<double>(), limit, 1e-6);
  const Scratch other;  // without the state of that run
  other.write("ne.inp", kNeonSearch);
  const ProgramRun all = other.run("ne.inp --verbose");
  EXPECT_TRUE(contains(all.out, "best so far")) << all.out;
}

}  // namespace
}  // namespace prophet

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/common/index.hpp"
#include "core/common/text.hpp"
#include "json_result.hpp"

namespace prophet {
namespace {

using test::contains;
using test::jsonResult;
using test::kInverseCentimetres;
using test::ProgramRun;
using test::Scratch;

/// Of levels with an energy of experiment: the mean of |deviation|, cm^-1, and the share within the error.
std::pair<double, double> deviations(const nlohmann::json& result, const char* key) {
  double sum = 0, inside = 0;
  int count = 0;
  for (const auto& l : result["levels"]) {
    if (!l.contains(key) || l[key] == 0) continue;
    const double off = std::abs(l["excitation_energy"].get<double>() - l[key].get<double>());
    sum += off;
    inside += off <= l["error"].get<double>() ? 1 : 0;
    ++count;
  }
  return {kInverseCentimetres * sum / count, inside / count};
}

// Uncalibrated the 3d7 of Fe+ lies below its ground level.
TEST(Calibrate, GroundLevelsAndErrorsAreThoseOfExperiment) {
  const Scratch s;
  const nlohmann::json fe = jsonResult(s, "levels Fe+ --configs '3d6 4s | 3d7 | 3d5 4s2' --calibrate nist");
  EXPECT_EQ(fe["calibration"], "nist");
  EXPECT_EQ(fe["levels"][0]["J"], 4.5);
  EXPECT_TRUE(contains(fe["levels"][0]["label"], "3d6(5D) 4s1 6D")) << fe["levels"][0]["label"];
  EXPECT_EQ(fe["levels"][0]["nist_excitation_energy"], 0);
  EXPECT_EQ(fe["levels"][0]["error"], 0);
  const auto [mean, inside] = deviations(fe, "nist_excitation_energy");
  EXPECT_LT(mean, 1600);
  EXPECT_GT(inside, 0.5);
  EXPECT_EQ(fe["fit"]["configurations"][0]["average_from"], "nist");
  EXPECT_EQ(fe["fit"]["configurations"][2]["average_from"], "rule");

  // Of all configurations that NIST knows, as the design's table has it: 2.5 %.
  const nlohmann::json ce =
      jsonResult(s, "levels Ce2+ --configs '4f2 | 4f 5d | 4f 6s | 4f 6p | 5d2 | 5d 6s' --calibrate nist");
  EXPECT_LT(ce["fit"]["fitted"]["mean_relative"], 0.027);
  EXPECT_LT(ce["fit"]["predicted"]["mean_relative"], 0.031);
  EXPECT_EQ(ce["fit"]["fitted"]["levels"], 62);

  const nlohmann::json er =
      jsonResult(s, "levels Er2+ --configs '4f12 | 4f11 5d | 4f11 6s' --calibrate rule");
  EXPECT_EQ(er["levels"][0]["label"], "4f12 3H");
  EXPECT_EQ(er["levels"][0]["J"], 6);
  EXPECT_TRUE(er["fit"]["fitted"].is_null());
}

// docs/how-to/levels.md says where.
TEST(Calibrate, TheRuleIsUsedWhereConfigurationsOfOpenShellsCompete) {
  const Scratch s;
  const auto used = [&](const std::string& arguments) {
    return jsonResult(s, arguments)["calibration"].get<std::string>();
  };
  const std::string erbium = "levels Er2+ --configs '4f12 | 4f11 5d | 4f11 6s'";
  const nlohmann::json usual = jsonResult(s, erbium), rule = jsonResult(s, erbium + " --calibrate rule");
  EXPECT_EQ(usual["calibration"], "rule");
  EXPECT_EQ(usual["levels"], rule["levels"]);
  const ProgramRun report = s.run(erbium);
  EXPECT_TRUE(contains(report.out, "--calibrate none leaves it out")) << report.out;
  EXPECT_EQ(used(erbium + " --calibrate none"), "none");
  EXPECT_EQ(used("levels Er2+"), "none");
  EXPECT_EQ(used("levels Fe14+ --configs '3s2 | 3s 3p | 3p2'"), "none");
  EXPECT_EQ(used("levels Fe6+ --configs '3d2 | 3d 4s | 3d 4p'"), "none");  // beyond charge 3
  EXPECT_EQ(used("levels Sc --configs '3d 4s2 | 3d 4s 4p'"), "rule");
  EXPECT_EQ(used("levels Sc --configs '3d 4s2 | 4s2 4p'"), "none");     // a single one with an open d shell
  EXPECT_EQ(used("levels Sc+ --configs '3d 4s | 3d 5s'"), "none");      // a series
  EXPECT_EQ(used("levels Ti3+ --configs '2p6 3d | 2p5 3d2'"), "none");  // a core hole
  EXPECT_EQ(used("lines Ti2+ --configs '3d2 | 3d 4p' --multipoles E1"), "rule");
  EXPECT_EQ(used("lines Ti2+ --configs '3d2 | 3d 4p' --multipoles E1 --relaxed none"), "none");
  EXPECT_EQ(used("lines Ti2+ --configs '3d2 | 3d 4p' --multipoles E1 --calibrate none"), "none");
  EXPECT_EQ(used("levels Ti2+ --configs '3d2 | 3d 4s' --virtuals 4p --roots 1"), "none");
  const auto ions = [&](const std::string& more) {  // without the times of its first lines
    const std::string table =
        s.run("lines --batch 'Ti2+ 3d2 | 3d 4p,Fe14+ 3s2 | 3s 3p' --multipoles E1 -q " + more).out;
    return table.substr(table.find("\nTi2+"));
  };
  const auto rowOf = [](const std::string& table, int row) { return split(table, '\n').at(usize(row)); };
  EXPECT_EQ(rowOf(ions(""), 1), rowOf(ions("--calibrate rule"), 1));
  EXPECT_NE(rowOf(ions(""), 1), rowOf(ions("--calibrate none"), 1));
  EXPECT_EQ(rowOf(ions(""), 2), rowOf(ions("--calibrate none"), 2));
  EXPECT_EQ(ions("--relaxed none"), ions("--calibrate none"));
}

TEST(Calibrate, LevelsOfAFileAreAssignedByTheirConfigurations) {
  const Scratch s;
  s.write("ce.csv",
          "ion,J,parity,configuration,term,energy,weight\n"
          "Ce2+,4,+,4f2,3H,0,1\nCe2+,5,+,4f2,3H,1528.32,1\nCe2+,6,+,4f2,3H,3127.10,1\n"
          "Ce2+,2,+,4f2,3F,3762.75,1\nCe2+,3,+,4f2,3F,4764.76,1\nCe2+,4,+,4f2,3F,5006.06,1\n"
          "Ce2+,4,-,4f 5d,1G,3276.66,1\nCe2+,2,-,4f 5d,3F,3821.53,1\nCe2+,3,-,4f 5d,,5127.27,0\n");
  const nlohmann::json r = jsonResult(s, "levels Ce2+ --configs '4f2 | 4f 5d' --fit ce.csv");
  EXPECT_EQ(r["calibration"], "fit");
  EXPECT_EQ(r["fit"]["fitted"]["levels"], 8);
  EXPECT_EQ(r["fit"]["held_out"]["levels"], 1);
  EXPECT_LT(r["fit"]["fitted"]["mean"].get<double>() * kInverseCentimetres, 400);
  const auto refused = [&](const std::string& file, const std::string& why) {
    s.write("bad.csv", file);
    const ProgramRun o = s.run("levels Ce2+ --configs '4f2 | 4f 5d' --fit bad.csv -q");
    EXPECT_EQ(o.status, 2) << file;
    EXPECT_TRUE(contains(o.err, why)) << o.err;
  };
  refused("ion,J,parity,configuration,energy\nPr3+,4,+,4f2,0\n",
          "has levels of Pr3+; expected those of Ce2+");
  refused("J,parity,configuration,energy\n4,+,4f9x,0\n", "4f9x");
  refused("J,parity,configuration,energy\n4,+,5d2,0\n", "is of '5d2', which is none of the configurations");
  refused("J,parity,configuration,energy\n4,-,4f2,0\n", "has parity -, and '4f2' has not");
  refused("J,parity,configuration,energy\n9,+,4f2,0\n", "no level of this J and parity");
}

TEST(Calibrate, IonsOfABatchGetTheConfigurationsOfTheirValenceShells) {
  const Scratch s;
  const auto ions = [&](const std::string& more) {
    return jsonResult(s, "lines --batch 'Ti2+,Ti3+ 3d | 4s,Cr5+' --multipoles E1 " + more)["ions"];
  };
  const nlohmann::json usual = ions("");
  EXPECT_EQ(usual[0]["configurations"], 3);  // 3d2, 3d 4s, 3d 4p
  EXPECT_GT(usual[0]["lines"], 20);
  EXPECT_EQ(usual[1]["configurations"], 2);  // given
  EXPECT_EQ(usual[2]["configurations"], 1);  // no rule
  EXPECT_EQ(ions("--excite none")[0]["configurations"], 1);
  const nlohmann::json single = jsonResult(s, "lines Ti2+ --excite valence --multipoles E1");
  EXPECT_EQ(single["calibration"], "rule");
  EXPECT_EQ(static_cast<int>(single["lines"].size()), usual[0]["lines"]);
  EXPECT_EQ(s.run("lines Ne --excite valence -q").status, 2);
}

TEST(Calibrate, RefusesWhatHasNoMeaning) {
  const Scratch s;
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const ProgramRun o = s.run(arguments + " -q");
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_TRUE(contains(o.err, why)) << o.err;
  };
  refused("levels Fe+ --calibrate best", "expected 'none', 'nist' or 'rule'");
  refused("levels Fe+ --calibrate nist --held-out '3d8'", "'3d8' is none of the configurations");
  refused("levels Fe+ --calibrate nist --calibrate-classes 'scale(Q)' --configs '3d6 4s | 3d7'", "scale(Q)");
  refused("levels C --virtuals '3s 3p' --calibrate nist",
          "--calibrate: cannot be given together with --virtuals");
  refused("levels Fe+ --held-out blocks", "calibrate");
  refused("levels Fe+ --calibrate none --held-out blocks", "--held-out: requires --calibrate");
}

}  // namespace
}  // namespace prophet

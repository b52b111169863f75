#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "core/common/csv.hpp"
#include "json_lines.hpp"
#include "terminal.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

using test::contains;
using test::linesOf;
using test::onTerminal;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

std::string input(int z, const std::string& more = "") {
  std::string text = "Atom\n$nuc znuc=";
  text += std::to_string(z);
  return text + " $end\n" + more;
}

TEST(Batch, GivesTheEnergiesOfSingleRuns) {
  const Scratch s;
  const std::map<std::string, std::string> files = {
      {"he.inp", input(2)},
      {"ne.inp", input(10)},
      {"c.inp", input(6, "$seconfig nclose=2,0,0 nopen=0,1,1 freel=2 autogen=.true. $end\n")},
      {"kr.inp", input(36)}};
  for (const auto& [name, text] : files) s.write(name, text);
  const ProgramRun o = s.run("batch he.inp ne.inp c.inp kr.inp --json-lines out.jsonl --backend cpu");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "4 jobs: 4 converged, 0 not converged, 0 failed")) << o.out;
  EXPECT_EQ(o.err, "");  // progress is for terminals
  const auto lines = linesOf(s.path() / "out.jsonl");
  ASSERT_EQ(lines.size(), files.size());
  for (const auto& [name, line] : lines) {
    ASSERT_EQ(s.run(name + " --quiet --json one.json").status, 0);
    const nlohmann::json one = nlohmann::json::parse(readFile(s.path() / "one.json"));
    const double energy = one.at("energy");
    EXPECT_NEAR(line.at("energy").get<double>(), energy, 1e-12 * std::abs(energy)) << name;
    EXPECT_EQ(line.at("iterations"), one.at("iterations")) << name;
  }
}

TEST(Batch, LeavesErrorEstimatesOutWhereAsked) {
  const Scratch s;
  s.write("ne.inp",
          "Neon\n$nuc znuc=10 nucmdl=3 rms=3.1 $end\n");  // the set's error is known for another radius
  ASSERT_EQ(s.run("batch ne.inp --json-lines with.jsonl --backend cpu").status, 0);
  ASSERT_EQ(s.run("batch ne.inp --json-lines without.jsonl --backend cpu --no-error-estimate").status, 0);
  const nlohmann::json with = linesOf(s.path() / "with.jsonl").at("ne.inp"),
                       without = linesOf(s.path() / "without.jsonl").at("ne.inp");
  EXPECT_TRUE(with.at("basis_error_estimate").is_number());
  EXPECT_FALSE(without.contains("basis_error_estimate") && without.at("basis_error_estimate").is_number());
  EXPECT_EQ(with.at("energy"), without.at("energy"));
}

TEST(Batch, TakesPathsFromAFileAndFromStandardInput) {
  const Scratch s;
  s.write("he.inp", input(2));
  s.write("be #2.inp", input(4));
  s.write("ne.inp", input(10));
  s.write("jobs", "# three atoms\n\n  he.inp  # helium\r\nbe #2.inp\n");
  s.write("jobs2", "he.inp\n#ne.inp\nne.inp");
  // ' #' starts a comment, so 'be #2.inp' is read as 'be' and fails alone.
  const ProgramRun o = s.run("batch ne.inp --jobs-file jobs --json-lines out.jsonl --backend cpu");
  EXPECT_EQ(o.status, 3);
  const auto lines = linesOf(s.path() / "out.jsonl");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines.at("he.inp").at("status"), "converged");
  EXPECT_EQ(lines.at("ne.inp").at("status"), "converged");
  EXPECT_EQ(lines.at("be").at("status"), "failed");
  EXPECT_EQ(s.run("batch --jobs-file - --json-lines out2.jsonl --backend cpu < jobs2").status, 0);
  EXPECT_EQ(linesOf(s.path() / "out2.jsonl").size(), 2u);
}

TEST(Batch, WhatItCannotComputeFailsAloneWithAReason) {
  const Scratch s;
  s.write("ne.inp", input(10));
  s.write("bad.inp", "Bad\n$nuc znuc=10 nucmodl=3 $end\n");
  s.write("stored.inp", input(10, "$scf fock='stored' $end\n"));
  s.write("stse.inp", input(10, "$scf fock='stse' $end\n"));
  s.write("breit.inp", input(10, "$contrl breit='breit' breitfreq=t $end\n"));
  s.write("early.inp", input(10, "$scf maxitr=2 $end\n"));
  s.write("grid.inp", input(10, "$scf fock='grid' $end\n"));
  const ProgramRun o = s.run(
      "batch bad.inp ne.inp missing.inp stored.inp stse.inp breit.inp early.inp grid.inp "
      "--json-lines out.jsonl --backend cpu");
  EXPECT_EQ(o.status, 3) << o.err;
  EXPECT_TRUE(contains(o.out, "8 jobs: 2 converged, 1 not converged, 5 failed")) << o.out;
  const auto lines = linesOf(s.path() / "out.jsonl");
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_NEAR(lines.at("ne.inp").at("energy").get<double>(), -128.6919, 1e-4);
  EXPECT_EQ(lines.at("ne.inp").at("energy"), lines.at("grid.inp").at("energy"));
  EXPECT_EQ(lines.at("early.inp").at("status"), "not converged");
  EXPECT_EQ(lines.at("early.inp").at("warnings").at(0).at("id"), "not_converged");
  for (const auto& [name, part] : std::map<std::string, std::string>{{"bad.inp", "did you mean 'nucmdl'?"},
                                                                     {"missing.inp", "missing.inp"},
                                                                     {"stored.inp", "grid only"},
                                                                     {"stse.inp", "grid only"},
                                                                     {"breit.inp", "frequency-dependent"}}) {
    const nlohmann::json& line = lines.at(name);
    EXPECT_EQ(line.at("status"), "failed") << name;
    EXPECT_FALSE(line.contains("energy")) << name;
    EXPECT_TRUE(contains(line.at("reason"), part)) << line;
    // An error of a file says its name itself, with the place.
    EXPECT_TRUE(contains(o.out, "  " + name + ":")) << o.out;
  }
}

TEST(Batch, ComputesQedCorrectionsAsASingleRunDoes) {
  const Scratch s;
  s.write("first.inp", input(10, "$contrl qedvp='full' qedse='inner' $end\n"));
  s.write("scf.inp", input(10, "$contrl qedse='valence' qedscf=t $end\n"));
  ASSERT_EQ(s.run("batch first.inp scf.inp --json-lines out.jsonl --backend cpu").status, 0);
  const auto lines = linesOf(s.path() / "out.jsonl");
  for (const std::string name : {"first", "scf"}) {
    ASSERT_EQ(s.run(name + ".inp --json " + name + ".json --threads 1").status, 0);
    std::ifstream in(s.path() / (name + ".json"));
    const nlohmann::json alone = nlohmann::json::parse(in), &line = lines.at(name + ".inp");
    EXPECT_EQ(line.at("qed"), alone.at("treatment").at("qed"));
    EXPECT_EQ(line.at("energy"), alone.at("energy"));
    EXPECT_EQ(line.at("total_with_corrections"), alone.at("total_with_corrections"));
    EXPECT_EQ(line.at("self_energy"), alone.at("energy_parts").at("self_energy"));
    EXPECT_EQ(line.contains("kallen_sabry"), name == "first");
  }
}

TEST(Batch, ComputesTheBreitInteraction) {
  const Scratch s;
  s.write("ne.inp", input(10));
  s.write("first.inp", input(10, "$contrl breit='breit' $end\n"));
  s.write("scf.inp", input(10, "$contrl breit='gaunt' breitscf=t $end\n"));
  ASSERT_EQ(s.run("batch ne.inp first.inp scf.inp --json-lines out.jsonl --backend cpu").status, 0);
  const auto lines = linesOf(s.path() / "out.jsonl");
  const nlohmann::json &ne = lines.at("ne.inp"), &first = lines.at("first.inp"), &scf = lines.at("scf.inp");
  EXPECT_FALSE(ne.contains("breit"));
  EXPECT_EQ(first.at("energy"), ne.at("energy"));
  EXPECT_EQ(first.at("breit"), "first order");
  // Numerical limit: 0.0175417198 and -0.0008980876 in first order.
  EXPECT_NEAR(first.at("gaunt").get<double>(), 0.01754172, 1e-5);
  EXPECT_NEAR(first.at("breit_gauge").get<double>(), -0.00089809, 1e-6);
  EXPECT_EQ(scf.at("breit"), "self-consistent");
  EXPECT_FALSE(scf.contains("breit_gauge"));
  EXPECT_NEAR(scf.at("energy").get<double>() - ne.at("energy").get<double>(), 0.0175388, 1e-5);
}

TEST(Batch, RefusesJobsOtherThanEnergies) {
  const Scratch s;
  s.write("opt.inp", readFile(PROPHET_SOURCE_DIR "/inputs/ne-bsopt.inp"));
  EXPECT_EQ(s.run("batch opt.inp --json-lines out.jsonl --backend cpu").status, 3);
  const nlohmann::json line = linesOf(s.path() / "out.jsonl").at("opt.inp");
  EXPECT_TRUE(contains(line.at("reason"), "energies and limits only")) << line;
}

TEST(Batch, LinesSayWhatWasComputed) {
  const Scratch s;
  s.write("na.inp", "t\n$nuc znuc=11 nucmdl='fermi' $end\n$electrons charge=1 $end\n");
  ASSERT_EQ(s.run("batch na.inp --json-lines out.jsonl --backend cpu").status, 0);
  const nlohmann::json line = linesOf(s.path() / "out.jsonl").at("na.inp");
  EXPECT_EQ(line.at("symbol"), "Na");
  EXPECT_EQ(line.at("Z"), 11);
  EXPECT_EQ(line.at("charge"), 1);
  EXPECT_EQ(line.at("job"), "energy");
  EXPECT_EQ(line.at("configuration").at("description"), "[Ne]");
  EXPECT_EQ(line.at("nucleus").at("model"), "Fermi");
  EXPECT_GT(line.at("basis").at("functions"), 20);
  EXPECT_EQ(line.at("labels").at("s+"), nlohmann::json::parse(R"(["1s1/2","2s1/2"])"));
  EXPECT_EQ(line.at("occupations").at("p+"), nlohmann::json::parse("[4.0]"));
  EXPECT_NEAR(line.at("mean_radii").at("s+").at(0).get<double>(), 0.1426, 1e-4);
  // The same objects as in the JSON of a single run.
  ASSERT_EQ(s.run("na.inp --json na.json --threads 1").status, 0);
  const nlohmann::json alone = nlohmann::json::parse(readFile(s.path() / "na.json"));
  for (const char* key : {"symbol", "Z", "charge", "job", "nucleus", "energy"})
    EXPECT_EQ(line.at(key), alone.at(key)) << key;
}

TEST(Batch, ComputesLimits) {
  const Scratch s;
  s.write("ne.inp", input(10, "$contrl jobtype='limit' $end\n"));
  ASSERT_EQ(s.run("batch ne.inp --json-lines out.jsonl --backend cpu").status, 0);
  ASSERT_EQ(s.run("batch --elements Ne --limit --csv out.csv --backend cpu").status, 0);
  ASSERT_EQ(s.run("ne.inp --json ne.json --threads 1").status, 0);
  const nlohmann::json line = linesOf(s.path() / "out.jsonl").at("ne.inp"),
                       alone = nlohmann::json::parse(readFile(s.path() / "ne.json"));
  EXPECT_EQ(line.at("job"), "limit");
  EXPECT_FALSE(line.contains("basis"));
  EXPECT_EQ(line.at("energy"), alone.at("energy"));
  EXPECT_EQ(line.at("estimated_error"), alone.at("estimated_error"));
  EXPECT_TRUE(contains(readFile(s.path() / "out.csv"), line.at("energy").dump()));
}

TEST(Batch, ComputesElementsWithoutInputFilesIntoATable) {
  const Scratch s;
  s.write("bad.inp", "t\n$nuc nucmodl=1 $end\n");
  const ProgramRun o = s.run(
      "batch bad.inp --elements 1-2,Ne --charge 0,1 --nucleus gaussian --csv e.csv --json-lines e.jsonl "
      "--backend cpu");
  EXPECT_EQ(o.status, 3) << o.err;
  const auto rows = readCsv(s.path() / "e.csv");
  const auto lines = linesOf(s.path() / "e.jsonl");
  ASSERT_EQ(rows.size(), 8u);
  const std::vector<std::string>& names = rows[0].fields;
  const auto value = [&](std::size_t row, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return rows.at(row).fields.at(static_cast<std::size_t>(at));
  };
  EXPECT_EQ(value(1, "id"), "bad.inp");
  EXPECT_EQ(value(1, "energy"), "");
  EXPECT_TRUE(contains(value(1, "reason"), "did you mean 'nucmdl'?"));
  EXPECT_EQ(value(3, "id"), "H+ gaussian");
  EXPECT_EQ(value(3, "energy"), "");
  EXPECT_TRUE(contains(value(3, "reason"), "H with charge +1 has no electrons"));
  EXPECT_EQ(value(7, "id"), "Ne+ gaussian");
  EXPECT_EQ(value(7, "configuration"), "[He] 2s2 2p5");
  EXPECT_EQ(value(7, "Z") + " " + value(7, "charge"), "10 1");
  EXPECT_EQ(value(7, "energy"), lines.at("Ne+ gaussian").at("energy").dump());
  EXPECT_EQ(value(6, "error_estimate"), lines.at("Ne gaussian").at("basis_error_estimate").dump());
  EXPECT_EQ(readFile(s.path() / "e.csv").front(), '#');
}

TEST(Batch, AnInputFileCanAskForOne) {
  const Scratch s;
  const std::string job = "b\n$contrl jobtype='batch' $end\n$batch elements='He,Ne' charge=0,1 ";
  s.write("b.inp", job + "csv='b.csv' json_lines='b.jsonl' $end\n");
  const ProgramRun o = s.run("b.inp --json b.json --threads 1 --backend cpu");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(readCsv(s.path() / "b.csv").size(), 5u);
  // The document has the rows of the table.
  const auto lines = linesOf(s.path() / "b.jsonl");
  const nlohmann::json whole = nlohmann::json::parse(readFile(s.path() / "b.json"));
  EXPECT_EQ(whole.at("total"), 4);
  ASSERT_EQ(whole.at("jobs").size(), 4u);
  for (const nlohmann::json& row : whole.at("jobs"))
    EXPECT_EQ(row.at("energy"), lines.at(row.at("id").get<std::string>()).at("energy"));
  s.write("c.inp", job + "$end\n");
  const ProgramRun nowhere = s.run("c.inp");  // prints its table
  EXPECT_EQ(nowhere.status, 0);
  EXPECT_TRUE(contains(nowhere.out, "-128.69")) << nowhere.out;
}

TEST(Batch, ATableAloneIsReplacedAndResumed) {
  const Scratch s;
  const std::string command = "batch --elements He,Ne --csv e.csv --backend cpu";
  ASSERT_EQ(s.run(command).status, 0);
  const std::string table = readFile(s.path() / "e.csv");
  EXPECT_FALSE(std::filesystem::exists(s.path() / "e.csv.jsonl"));
  ASSERT_EQ(s.run(command).status, 0);
  EXPECT_EQ(readFile(s.path() / "e.csv"), table);
  // What a killed run leaves.
  s.write("e.csv.jsonl", "{\"id\":\"He\",\"status\":\"converged\",\"energy\":-2.5}\n{\"id\":\"N");
  const ProgramRun refused = s.run(command);
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.err, "resume it")) << refused.err;
  ASSERT_EQ(s.run(command + " --resume").status, 0);
  EXPECT_TRUE(contains(readFile(s.path() / "e.csv"), "He,,,,,,,,,,converged,-2.5,-2.5,"));
  EXPECT_FALSE(std::filesystem::exists(s.path() / "e.csv.jsonl"));
}

TEST(Batch, WrongUseIsStatusTwo) {
  const Scratch s;
  s.write("ne.inp", input(10));
  s.write("empty", "# nothing\n");
  for (const char* arguments : {"batch",
                                "batch --json-lines o.jsonl",
                                "batch ne.inp --json-lines o.jsonl --nonsense",
                                "batch ne.inp ne.inp --json-lines o.jsonl",
                                "batch --jobs-file none --json-lines o.jsonl",
                                "batch --jobs-file empty --json-lines o.jsonl",
                                "batch ne.inp --json-lines o.jsonl --backend gpu",
                                "batch ne.inp --json-lines o.jsonl --device 0,,1",
                                "batch ne.inp --json-lines o.jsonl --device 1,1",
                                "batch ne.inp --json-lines o.jsonl --device -1",
                                "batch ne.inp --json-lines o.jsonl --threads 0",
                                "batch ne.inp --json-lines o.jsonl --backend cpu --device 0",
                                "batch ne.inp --json-lines o.jsonl --charge 1",
                                "batch ne.inp --json-lines o.jsonl --limit",
                                "batch --elements 119 --json-lines o.jsonl",
                                "batch --elements H --charge x --json-lines o.jsonl",
                                "batch --elements H --nucleus round --json-lines o.jsonl",
                                "batch --elements H --nucleus point,point --json-lines o.jsonl",
                                "batch --elements H --basis none --json-lines o.jsonl",
                                "batch --elements H --basis universal --limit --json-lines o.jsonl",
                                "batch --elements H --csv o.jsonl --json-lines o.jsonl",
                                "batch ne.inp --csv ne.inp",
                                "batch --elements H --csv o.csv --resume --retry-failed"}) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments << ": " << o.err;
    EXPECT_TRUE(o.out.empty()) << arguments;
    EXPECT_FALSE(o.err.empty()) << arguments;
  }
  EXPECT_FALSE(std::filesystem::exists(s.path() / "o.jsonl"));
}

TEST(Batch, WrongUseIsReportedWhereTheProcessesCannotJoin) {
  const Scratch s;
  const std::string launched =
      "OMPI_COMM_WORLD_SIZE=4 CUDAPROPHET_MPI_LIBRARY=/nowhere/libnone.so '" PROPHET_PROGRAM "'";
  const ProgramRun o = s.runAs(launched, "batch ne.inp --json-lines o.jsonl --mpi off --nonsense");
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_TRUE(contains(o.err, "nonsense")) << o.err;
  EXPECT_EQ(s.runAs(launched, "batch ne.inp --json-lines o.jsonl").status, 1);
}

TEST(Batch, UnusableOutputIsStatusTwo) {
  const Scratch s;
  s.write("ne.inp", input(10));
  ProgramRun o = s.run("batch ne.inp --json-lines none/out.jsonl --backend cpu");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "none/out.jsonl")) << o.err;
  s.write("out.jsonl", "{\"id\":\"x\",\"status\":\"converged\"}\n");
  o = s.run("batch ne.inp --json-lines out.jsonl --backend cpu");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "resume it")) << o.err;
  o = s.run("batch ne.inp --json-lines /dev/full --backend cpu");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "regular file")) << o.err;
  s.write("ne-as-output.inp", input(10));
  o = s.run("batch ne.inp --json-lines ne-as-output.inp --resume --backend cpu");
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(readFile(s.path() / "ne-as-output.inp"), input(10));
}

TEST(Batch, ResumeSkipsWhatIsThereAndStillCountsIt) {
  const Scratch s;
  s.write("ne.inp", input(10));
  s.write("he.inp", input(2));
  s.write("out.jsonl",
          "{\"id\":\"ne.inp\",\"status\":\"failed\",\"reason\":\"earlier\"}\n{\"id\":\"he.inp\",\"sta");
  const ProgramRun o = s.run("batch ne.inp he.inp --json-lines out.jsonl --resume --backend cpu");
  // The failure of the earlier run is a failure of the batch.
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(contains(o.out, "1 converged, 0 not converged, 1 failed")) << o.out;
  EXPECT_TRUE(contains(o.out, "(1 from an earlier run)")) << o.out;
  const auto lines = linesOf(s.path() / "out.jsonl");
  EXPECT_EQ(lines.at("ne.inp").at("reason"), "earlier");
  EXPECT_NEAR(lines.at("he.inp").at("energy").get<double>(), -2.8618, 1e-4);
}

TEST(Batch, LinesOfOtherInputsAndChangedLinesAreRefused) {
  const Scratch s;
  s.write("a.inp", input(2));
  const std::string command = "batch a.inp --json-lines out.jsonl --quiet --backend cpu";
  ASSERT_EQ(s.run(command).status, 0);
  const std::string before = test::readFile(s.path() / "out.jsonl");
  EXPECT_EQ(s.run(command + " --resume").status, 0);
  s.write("a.inp", input(3));
  const ProgramRun other = s.run(command + " --resume");
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(contains(other.err, "a.inp has another input now than the one that its line was computed from"))
      << other.err;
  EXPECT_EQ(test::readFile(s.path() / "out.jsonl"), before);
  s.write("a.inp", input(2));
  std::string changed = before;
  changed.replace(changed.find("-2.86"), 5, "-2.96");
  s.write("out.jsonl", changed);
  const ProgramRun damaged = s.run(command + " --resume");
  EXPECT_EQ(damaged.status, 2);
  EXPECT_TRUE(contains(damaged.err, "out.jsonl:1: the line of a.inp is not as a batch wrote it"))
      << damaged.err;
  EXPECT_EQ(test::readFile(s.path() / "out.jsonl"), changed);
}

TEST(Batch, CountsOneJobAsOne) {
  const Scratch s;
  s.write("he.inp", input(2));
  const ProgramRun o = s.run("batch he.inp --json-lines out.jsonl --backend cpu --threads 1");
  EXPECT_EQ(o.out.rfind("Energies of 1 job\n", 0), 0u) << o.out;
  EXPECT_TRUE(contains(o.out, " 1 job: 1 converged")) << o.out;
  EXPECT_TRUE(contains(o.out, " 1 thread;")) << o.out;
}

TEST(Batch, QuietPrintsNothing) {
  const Scratch s;
  s.write("he.inp", input(2));
  const ProgramRun o = s.run("batch he.inp --json-lines out.jsonl --quiet --backend cpu");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out + o.err, "");
  EXPECT_EQ(linesOf(s.path() / "out.jsonl").size(), 1u);
}

TEST(Batch, ShowsABarOnATerminal) {
  const Scratch s;
  s.write("he.inp", input(2));
  s.write("ne.inp", input(10));
  const std::string text = onTerminal(s, "batch he.inp ne.inp --json-lines out.jsonl --backend cpu");
  if (text.empty()) GTEST_SKIP() << "no pseudo-terminal here";
  EXPECT_TRUE(contains(text, "\r[##############################] 2 of 2 jobs")) << text;
}

/// Starts the batch, kills it after a while; true where it had ended before.
bool runAndKill(const Scratch& s, std::chrono::microseconds pause) {
  const std::string folder = s.path().string();
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(folder.c_str()) == 0)
      ::execl(PROPHET_PROGRAM, "cudaprophet", "batch", "--jobs-file", "jobs", "--json-lines", "out.jsonl",
              "--resume", "--quiet", "--backend", "cpu", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  std::this_thread::sleep_for(pause);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status);
}

TEST(Batch, KilledAndResumedHasEveryJobExactlyOnce) {
  const Scratch s;
  constexpr int kJobs = 80;
  std::string list;
  for (int i = 0; i < kJobs; ++i) {
    const std::string name = "job" + std::to_string(i) + ".inp";
    // The speed of light tells the jobs apart.
    s.write(name, input(2 + i % 9, "$contrl c=" + std::to_string(137 + i) + " $end\n"));
    list += name + "\n";
  }
  s.write("jobs", list);
  std::mt19937 random(20261121);
  std::uniform_int_distribution<int> moment(5000, 80000);
  int kills = 0;
  while (kills < 12 && !runAndKill(s, std::chrono::microseconds(moment(random)))) ++kills;
  EXPECT_GT(kills, 0);
  ASSERT_EQ(s.run("batch --jobs-file jobs --json-lines out.jsonl --resume --backend cpu").status, 0);
  ASSERT_EQ(s.run("batch --jobs-file jobs --json-lines whole.jsonl --backend cpu").status, 0);
  const auto resumed = linesOf(s.path() / "out.jsonl"), whole = linesOf(s.path() / "whole.jsonl");
  EXPECT_EQ(resumed.size(), static_cast<std::size_t>(kJobs));
  EXPECT_EQ(resumed, whole);
}

}  // namespace
}  // namespace prophet

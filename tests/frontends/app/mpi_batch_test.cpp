#include <signal.h>

#include <chrono>
#include <thread>

#include "json_lines.hpp"
#include "test_paths.hpp"

/// `mpirun cudaprophet batch`; built only where there is MPI (PROPHET_MPIRUN names its mpirun).
namespace prophet {
namespace {

using test::contains;
using test::linesOf;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

std::string input(int z, double c = 137.03599976) {
  return "Atom\n$nuc znuc=" + std::to_string(z) + " $end\n$contrl c=" + std::to_string(c) + " $end\n";
}

/// Files job0.inp ... and their list, "jobs".
void writeJobs(const Scratch& s, int count, int lightest, int kinds) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    const std::string name = "job" + std::to_string(i) + ".inp";
    s.write(name, input(lightest + i % kinds, 137.0 + i));
    list += name + "\n";
  }
  s.write("jobs", list);
}

class MpiBatch : public ::testing::Test {
 protected:
  void SetUp() override { test::allowRanksInContainers(); }
  /// On four ranks; `before` stands in front of mpirun.
  ProgramRun run(const std::string& arguments, const std::string& before = "") const {
    return s.runAs(before + PROPHET_MPIRUN " -n 4 '" PROPHET_PROGRAM "' batch", arguments + " --backend cpu");
  }
  Scratch s;
};

TEST_F(MpiBatch, GivesTheLinesOfOneProcessAndPrintsThemOnce) {
  writeJobs(s, 40, 2, 9);
  const ProgramRun o = run("--jobs-file jobs --json-lines out.jsonl --threads 1");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out.substr(0, o.out.find('\n')), "Energies of 40 jobs") << o.out;
  EXPECT_TRUE(contains(o.out, "4 ranks, 4 x 1 thread;")) << o.out;
  EXPECT_TRUE(contains(o.out, "40 jobs: 40 converged, 0 not converged, 0 failed")) << o.out;
  EXPECT_EQ(o.out.find("40 jobs:"), o.out.rfind("40 jobs:")) << o.out;
  ASSERT_EQ(s.run("batch --jobs-file jobs --json-lines one.jsonl --backend cpu").status, 0);
  EXPECT_EQ(linesOf(s.path() / "out.jsonl").size(), 40u);
  EXPECT_EQ(linesOf(s.path() / "out.jsonl"), linesOf(s.path() / "one.jsonl"));
}

TEST_F(MpiBatch, AFailingJobIsStatusThree) {
  writeJobs(s, 6, 2, 3);
  s.write("list", "job0.inp\nmissing.inp\njob1.inp\n");
  // mpirun gives its standard input to rank 0 only.
  const ProgramRun o = run("--jobs-file - --json-lines out.jsonl <list");
  EXPECT_EQ(o.status, 3) << o.err;
  EXPECT_TRUE(contains(o.out, "3 jobs: 2 converged, 0 not converged, 1 failed")) << o.out;
  EXPECT_TRUE(contains(o.out, "missing.inp: ")) << o.out;
  EXPECT_EQ(linesOf(s.path() / "out.jsonl").size(), 3u);
}

TEST_F(MpiBatch, AnErrorEndsAllRanksWithOneMessage) {
  writeJobs(s, 6, 2, 3);
  s.write("old.jsonl", "{\"id\":\"x\",\"status\":\"converged\"}\n");
  struct Case {
    std::string arguments, message;
  };
  for (const Case& c : {Case{"--jobs-file jobs --json-lines none/out.jsonl", "cannot write 'none/out.jsonl'"},
                        Case{"--jobs-file jobs --json-lines old.jsonl", "old.jsonl exists"},
                        Case{"--jobs-file jobs --json-lines o.jsonl --device 0", "--device names a GPU"},
                        Case{"--jobs-file jobs --json-lines o.jsonl --nonsense", "nonsense"},
                        Case{"--jobs-file nolist --json-lines o.jsonl", "cannot read the jobs file"}}) {
    const ProgramRun o = run(c.arguments);
    // As of one process: whatever is wrong with the request, files included.
    EXPECT_EQ(o.status, 2) << c.arguments << o.err;
    const std::size_t first = o.err.find(c.message);
    EXPECT_NE(first, std::string::npos) << o.err;
    EXPECT_EQ(first, o.err.rfind(c.message)) << o.err;
  }
  EXPECT_FALSE(std::filesystem::exists(s.path() / "o.jsonl"));
}

TEST_F(MpiBatch, DifferentCommandLinesAreNotOneBatch) {
  writeJobs(s, 4, 2, 4);
  const std::string each = PROPHET_MPIRUN " -n 4 sh -c '\"" PROPHET_PROGRAM
                                          "\" batch job$OMPI_COMM_WORLD_RANK.inp --backend cpu "
                                          "--json-lines out$OMPI_COMM_WORLD_RANK.jsonl \"$@\"' sh";
  const ProgramRun o = s.runAs(each, "");
  EXPECT_EQ(o.status, 2) << o.err;
  const std::string message = "different command lines; --mpi off makes each of them an independent run";
  const std::size_t first = o.err.find(message);
  EXPECT_NE(first, std::string::npos) << o.err;
  EXPECT_EQ(first, o.err.rfind(message)) << o.err;
  for (const char* rank : {"0", "1", "2", "3"})
    EXPECT_FALSE(std::filesystem::exists(s.path() / ("out" + std::string(rank) + ".jsonl"))) << rank;
  EXPECT_EQ(s.runAs(each, "--mpi off").status, 0);
  for (const char* rank : {"0", "1", "2", "3"})
    EXPECT_EQ(linesOf(s.path() / ("out" + std::string(rank) + ".jsonl")).size(), 1u) << rank;
}

/// The limit of a file's size stops rank 0 while the others compute. It would stop MPI's shared memory too.
TEST_F(MpiBatch, AnErrorOfOneRankOnTheWayEndsAll) {
  writeJobs(s, 60, 2, 3);
  const ProgramRun o =
      s.runAs("OMPI_MCA_btl=self,tcp " PROPHET_MPIRUN
              " -n 4 sh -c 'trap \"\" XFSZ; ulimit -f 8; exec \"" PROPHET_PROGRAM "\" batch \"$@\"' sh",
              "--jobs-file jobs --json-lines out.jsonl --backend cpu");
  EXPECT_NE(o.status, 0);
  EXPECT_TRUE(contains(o.err, "rank 0: cannot write out.jsonl")) << o.err;
}

TEST_F(MpiBatch, WithoutTheMpiLibraryItSaysSo) {
  writeJobs(s, 3, 2, 3);
  const ProgramRun o =
      run("--jobs-file jobs --json-lines out.jsonl", "CUDAPROPHET_MPI_LIBRARY=/nowhere/libnone.so ");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "without its MPI library")) << o.err;
  EXPECT_FALSE(std::filesystem::exists(s.path() / "out.jsonl"));
}

TEST_F(MpiBatch, AProcessByItselfCanBeARank) {
  writeJobs(s, 3, 2, 3);
  EXPECT_EQ(s.run("batch --jobs-file jobs --json-lines out.jsonl --mpi on --backend cpu").status, 0);
  EXPECT_EQ(linesOf(s.path() / "out.jsonl").size(), 3u);
}

/// Starts mpirun in the folder and kills it (it alone) after a while.
void runAndKill(const Scratch& s, std::chrono::milliseconds pause) {
  const std::string folder = s.path().string();
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(folder.c_str()) == 0)
      ::execl(PROPHET_MPIRUN, "mpirun", "-n", "4", PROPHET_PROGRAM, "batch", "--jobs-file", "jobs",
              "--json-lines", "out.jsonl", "--resume", "--quiet", "--backend", "cpu",
              static_cast<char*>(nullptr));
    ::_exit(127);
  }
  // From the first line on, so that the kill comes in the middle of the work.
  while (readFile(s.path() / "out.jsonl").empty() && ::waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(pause);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(MpiBatch, KilledAndResumedHasEveryJobExactlyOnce) {
  constexpr int kJobs = 300;
  writeJobs(s, kJobs, 30, 7);
  runAndKill(s, std::chrono::milliseconds(30));
  const auto before = readFile(s.path() / "out.jsonl").size();
  EXPECT_GT(before, 0u);
  // The ranks notice the end of mpirun within a moment; until then the output is theirs.
  ProgramRun o;
  for (int attempt = 0; attempt < 100; ++attempt) {
    o = run("--jobs-file jobs --json-lines out.jsonl --resume");
    if (!contains(o.err, "another run is writing it")) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "from an earlier run")) << o.out;
  EXPECT_FALSE(contains(o.out, "(300 from an earlier run)")) << "the kill came too late";
  EXPECT_EQ(linesOf(s.path() / "out.jsonl").size(), static_cast<std::size_t>(kJobs));
}

}  // namespace
}  // namespace prophet

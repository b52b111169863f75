/// Full disks, closed streams, signals, foreign files: what the program does when its surroundings fail it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>
#include <vector>

#include "core/common/finished_pieces.hpp"
#include "run_program.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::contains;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

const char* const kFaultyNeon = "Neon\n$nuc znuc=10 $end\n";
const char* const kHeliumSet =
    "$nuc znuc=2 $end\n$bas bastype='wtbs' $end\n$wtbs wtbspara=0.08,1.95,4.5,1.5 nbs=18 $end\n";

std::string heliumSearch(const std::string& more) {
  return "He\n$contrl jobtype='bsopt' $end\n" + std::string(kHeliumSet) + more + "\n";
}

/// Runs a shell's command in a folder, as it is; P stands for the program. Its status.
int shell(const Scratch& s, const std::string& command) {
  const int status =
      std::system(("cd '" + s.path().string() + "' && P='" PROPHET_PROGRAM "' && " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// A run of the program that goes on beside the test.
class Running {
 public:
  Running(const Scratch& s, std::vector<std::string> arguments, int out = -1, rlim_t openFiles = 0)
      : child_(::fork()) {
    if (child_ > 0) return;
    if (::chdir(s.path().c_str()) != 0) ::_exit(99);
    const int err = ::open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0) out = ::open("stdout", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    ::dup2(out, 1);
    ::dup2(err, 2);
    for (int file = 3; file < 1024; ++file) ::close(file);
    std::vector<char*> words{const_cast<char*>(PROPHET_PROGRAM)};
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    if (openFiles > 0) {
      const rlimit limit{openFiles, openFiles};
      ::setrlimit(RLIMIT_NOFILE, &limit);
    }
    ::execv(PROPHET_PROGRAM, words.data());
    ::_exit(99);
  }
  void send(int signal) const { ::kill(child_, signal); }
  /// Exit status, or minus the signal that ended it.
  int wait() const {
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t child_;
};

/// Waits until a file has this many lines; false after a minute.
bool waitForLines(const fs::path& file, int lines) {
  for (int i = 0; i < 6000; ++i) {
    const std::string text = readFile(file);
    if (std::count(text.begin(), text.end(), '\n') >= lines) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(Faults, FullStandardOutputIsAnError) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  for (const char* arguments : {"ne.inp", "ne.inp -q", "--help", "--version", "--explain", "basis show Ne"}) {
    EXPECT_EQ(shell(s, "\"$P\" " + std::string(arguments) + " >/dev/full 2>err"), 1) << arguments;
    EXPECT_TRUE(contains(readFile(s.path() / "err"), "No space left")) << readFile(s.path() / "err");
  }
}

TEST(Faults, FullStandardErrorIsAnError) {
  const Scratch s;
  s.write("early.inp", std::string(kFaultyNeon) + "$scf maxitr=2 $end\n");
  // What is wrong with the energy could not be said: not the status 3 of a run that said so.
  EXPECT_EQ(shell(s, "\"$P\" early.inp -q >out 2>/dev/full"), 1);
  EXPECT_EQ(shell(s, "\"$P\" early.inp -q >out 2>&-"), 1);
  // A batch has nothing to say there where it is no terminal.
  EXPECT_EQ(shell(s, "\"$P\" batch early.inp --json-lines o.jsonl >out 2>/dev/full"), 3);
}

TEST(Faults, AClosedPipeEndsTheRunQuietly) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  const Running run(s, {"ne.inp"}, ends[1]);
  ::close(ends[1]);
  EXPECT_EQ(run.wait(), -SIGPIPE);
  EXPECT_EQ(readFile(s.path() / "stderr"), "");
}

TEST(Faults, ClosedStreamsDoNotLeadIntoDataFiles) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  s.write("he.inp", heliumSearch("$newuoa maxfun=5 $end"));
  EXPECT_EQ(shell(s, "\"$P\" batch ne.inp --json-lines o.jsonl >out 2>&-"), 0);
  const std::string lines = readFile(s.path() / "o.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
  EXPECT_EQ(lines.rfind("{\"id\":\"ne.inp\",\"status\":\"converged\"", 0), 0U) << lines;
  EXPECT_EQ(shell(s, "\"$P\" he.inp >&- 2>err"), 1);
  EXPECT_TRUE(contains(readFile(s.path() / "err"), "standard output: it is closed"))
      << readFile(s.path() / "err");
  fs::remove(s.path() / "he.inp.bsopt");
  EXPECT_EQ(shell(s, "\"$P\" he.inp -q >out <&- 2>&-"), 0);
  EXPECT_EQ(s.run("he.inp -q --resume").status, 0);
}

TEST(Faults, AnEnergyIsPrintedWhereItsFileCannotBeWritten) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  const ProgramRun o = s.run("ne.inp -q --json /dev/full");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.out, "-128.6919")) << o.out;
  EXPECT_TRUE(contains(o.err, "No space left")) << o.err;
}

TEST(Faults, JsonDoesNotOverwriteInputOrState) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  fs::create_symlink("ne.inp", s.path() / "link");
  for (const char* file :
       {"ne.inp", "./ne.inp", "link", "ne.inp.bsopt", "ne.inp.bsopt.3", "ne.inp.best", "ne.inp.chain"}) {
    const ProgramRun o = s.run(std::string("ne.inp --json ") + file);
    EXPECT_EQ(o.status, 2) << file;
    EXPECT_TRUE(contains(o.err, "name another file")) << o.err;
  }
  EXPECT_EQ(readFile(s.path() / "ne.inp"), kFaultyNeon);
}

TEST(Faults, JsonFollowsALinkAndKeepsPermissions) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  s.write("real.json", "old");
  fs::permissions(s.path() / "real.json", fs::perms(0640));
  fs::create_symlink("real.json", s.path() / "link.json");
  ASSERT_EQ(s.run("ne.inp -q --json link.json").status, 0);
  EXPECT_TRUE(fs::is_symlink(s.path() / "link.json"));
  EXPECT_TRUE(contains(readFile(s.path() / "real.json"), "\"energy\""));
  EXPECT_EQ(fs::status(s.path() / "real.json").permissions(), fs::perms(0640));
}

TEST(Faults, OptionsWithoutEffectAreRefused) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  s.write("limit.inp", "He\n$contrl jobtype='limit' $end\n$nuc znuc=2 $end\n");
  fs::create_directory(s.path() / "folder");
  for (const char* arguments :
       {"ne.inp --device 99", "limit.inp --device 3", "basis show Ne --format json", "ne.inp --json ''",
        "ne.inp --check --json x", "ne.inp --check --verify-grid", "ne.inp --verify-grid -q",
        "batch ne.inp --jobs-file folder --json-lines o", "--explain scf ne.inp",
        "chain --elements He --out sets --threshold nan", "chain --elements He --out sets --threshold 0",
        "chain --elements He --out sets --threshold=-1", "chain --elements He --out sets --threshold inf",
        "batch ne.inp --json-lines o --retry-failed"}) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments << o.out;
    EXPECT_TRUE(contains(o.err, "cudaprophet: ")) << arguments << o.err;
  }
}

TEST(Faults, JobsListsAreText) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  s.write("list", "\xEF\xBB\xBFne.inp\n");
  EXPECT_EQ(s.run("batch --jobs-file list --json-lines a.jsonl").status, 0);
  s.write("list", std::string("ne.inp\n") + std::string("ne.inp\0b.inp\n", 13));
  const ProgramRun o = s.run("batch --jobs-file list --json-lines b.jsonl");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "line 2")) << o.err;
}

TEST(Faults, LackOfOpenFilesIsNoFailureOfAJob) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  const Running run(s, {"batch", "ne.inp", "--backend", "cpu", "--json-lines", "o.jsonl"}, -1, 4);
  EXPECT_EQ(run.wait(), 1);
  EXPECT_TRUE(contains(readFile(s.path() / "stderr"), "Too many open files"))
      << readFile(s.path() / "stderr");
  EXPECT_EQ(readFile(s.path() / "o.jsonl"), "");
  EXPECT_EQ(s.run("batch ne.inp --json-lines o.jsonl --resume").status, 0);
}

TEST(Faults, FailedJobsCanBeComputedAgain) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  s.write("x.inp", "X\n$nuc znuc=1000 $end\n");
  EXPECT_EQ(s.run("batch ne.inp x.inp --json-lines o.jsonl").status, 3);
  s.write("x.inp", kFaultyNeon);
  EXPECT_EQ(s.run("batch ne.inp x.inp --json-lines o.jsonl --resume").status, 3);
  const ProgramRun o = s.run("batch ne.inp x.inp --json-lines o.jsonl --resume --retry-failed");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "2 converged, 0 not converged, 0 failed")) << o.out;
  EXPECT_EQ(s.run("batch ne.inp x.inp --json-lines o.jsonl --resume").status, 0);
}

TEST(Faults, AnImpossibleExponentFailsItsJobAlone) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  const std::string head = "He\n$nuc znuc=2 nucmdl=1 $end\n";
  s.write("small.inp", head + "$bas bastype='wtbs' $end\n$wtbs wtbspara=1e-308,2,1,0 nbs=1 $end\n");
  s.write("large.inp", head + "$bas bastype='wtbs' $end\n$wtbs wtbspara=1,1e30,1,0 nbs=2 $end\n");
  s.write("read.inp", head + "$bas bastype='rdin' nsym=1 $end\n2\n1.0\n1e-307\n");
  for (const char* file : {"small.inp", "large.inp", "read.inp"}) {
    const ProgramRun o = s.run(file);
    EXPECT_EQ(o.status, 2) << file;
    EXPECT_TRUE(contains(o.err, std::string(file) + ":")) << o.err;
    EXPECT_TRUE(contains(o.err, "1e-12 to 1e+25")) << o.err;
  }
  const ProgramRun batch = s.run("batch small.inp ne.inp large.inp read.inp --json-lines o.jsonl");
  EXPECT_EQ(batch.status, 3);
  EXPECT_TRUE(contains(batch.out, "1 converged, 0 not converged, 3 failed")) << batch.out;
}

TEST(Faults, StatesOfOtherProblemsAreRefused) {
  const Scratch s;
  const std::string head =
      "Cr\n$contrl jobtype='bsopt' $end\n$nuc znuc=4 $end\n$bas bastype='wtbs' $end\n"
      "$wtbs wtbspara=0.05,2.4,4.5,1.5 nbs=12,12 $end\n$newuoa maxfun=3 $end\n";
  s.write("a.inp", head + "$scf maxitr=50 $end\n");
  ASSERT_EQ(s.run("a.inp -q").status, 0) << s.run("a.inp -q").err;
  ASSERT_EQ(s.run("a.inp -q --resume").status, 0);
  s.write("a.inp", head + "$scf maxitr=1 $end\n");
  const ProgramRun o = s.run("a.inp -q --resume");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "belongs to another run")) << o.err;
  EXPECT_TRUE(o.out.empty()) << o.out;
}

TEST(Faults, AStateIsBelievedOnlyWhereItCanBeComputedAgain) {
  const Scratch s;
  s.write("he.inp", heliumSearch("$newuoa maxfun=4 $end"));
  ASSERT_EQ(s.run("he.inp -q").status, 0);
  const std::string state = readFile(s.path() / "he.inp.bsopt"), work = state.substr(0, state.find('\n'));
  std::string first;
  {
    const FinishedPieces pieces(s.path() / "he.inp.bsopt", work, true);
    first = pieces.content(0);
  }
  fs::remove(s.path() / "he.inp.bsopt");
  FinishedPieces(s.path() / "he.inp.bsopt", work, false).keep("e", "-1e9" + first.substr(first.find(' ')));
  const ProgramRun o = s.run("he.inp -q --resume");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "he.inp.bsopt: piece 1: energy -1000000000")) << o.err;
}

TEST(Faults, ForeignFilesAreLeftAsTheyAre) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  s.write("he.inp", heliumSearch("$newuoa maxfun=3 $end"));
  for (const char* notes : {"my notes", "my notes\nsecond line\n", "{\"ident"}) {
    s.write("notes.txt", notes);
    s.write("he.inp.bsopt", notes);
    const ProgramRun batch = s.run("batch ne.inp --json-lines notes.txt --resume"),
                     search = s.run("he.inp --resume");
    EXPECT_EQ(batch.status, 2);
    EXPECT_TRUE(contains(batch.err, "of a batch run")) << batch.err;
    EXPECT_EQ(search.status, 2);
    EXPECT_TRUE(contains(search.err, "is not the state of a run")) << search.err;
    EXPECT_EQ(readFile(s.path() / "notes.txt"), notes);
    EXPECT_EQ(readFile(s.path() / "he.inp.bsopt"), notes);
  }
}

TEST(Faults, AStateInUseIsLeftToItsRun) {
  const Scratch s;
  s.write("he.inp", heliumSearch("$newuoa maxfun=3 $end"));
  const std::string state = s.write("he.inp.bsopt", "");
  const int file = ::open(state.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  const ProgramRun o = s.run("he.inp");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "another run is writing it")) << o.err;
  EXPECT_EQ(readFile(state), "");
  ::close(file);
  EXPECT_EQ(s.run("he.inp -q").status, 0);
}

TEST(Faults, ATableInUseIsLeftToItsRun) {
  const Scratch s;
  fs::create_directories(s.path() / "sets/state");
  const int folder = ::open((s.path() / "sets/state").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);
  const ProgramRun o = s.run("chain --elements He --out sets");
  ::close(folder);
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "another run is writing there")) << o.err;
}

TEST(Faults, FewerStartsDoNotTakeOverARunWithMore) {
  const Scratch s;
  s.write("he.inp", heliumSearch("$newuoa maxfun=3 starts=3 $end"));
  ASSERT_EQ(s.run("he.inp -q").status, 0);
  const std::string best = readFile(s.path() / "he.inp.best");
  for (const char* starts : {"starts=2", "starts=1"}) {
    s.write("he.inp", heliumSearch("$newuoa maxfun=3 " + std::string(starts) + " $end"));
    const ProgramRun o = s.run("he.inp -q --resume");
    EXPECT_EQ(o.status, 2) << starts;
    EXPECT_TRUE(contains(o.err, "starts")) << o.err;
    EXPECT_EQ(readFile(s.path() / "he.inp.best"), best);
  }
}

TEST(Faults, ALooserTableDoesNotMeetATighterThreshold) {
  const Scratch s;
  fs::create_directory(s.path() / "sets");
  std::istringstream shipped(readFile(PROPHET_SOURCE_DIR "/basis_sets/prophet-1/002-He.basis"));
  std::string text;
  for (std::string line; std::getline(shipped, line);)
    text += (line.rfind("error ", 0) == 0 ? "error = 5.9e-05" : line) + "\n";
  s.write("sets/002-He.basis", text);
  const ProgramRun o = s.run("chain --elements He --out sets --threshold 5e-9 --quiet --resume");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(contains(o.out, "5.90e-05 misses the threshold 5.00e-09")) << o.out;
  EXPECT_TRUE(contains(o.out, "1 without a set")) << o.out;
  EXPECT_EQ(s.run("chain --elements He --out sets --threshold 1e-4 --quiet --resume").status, 0);
}

TEST(Faults, ALimitThatIsNoneEndsTheSearchAtOnce) {
  const Scratch s;
  s.write("he.inp", "He\n$contrl jobtype='chain' $end\n$nuc znuc=2 $end\n$chain limit=-1e-300 $end\n");
  const ProgramRun o = s.run("he.inp -q");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "cannot be that of this atom")) << o.err;
}

TEST(Faults, DamagedPiecesOfAStateAreNamed) {
  const Scratch s;
  s.write("he.inp", "He\n$contrl jobtype='chain' $end\n$nuc znuc=2 $end\n");
  const Running run(s, {"he.inp"});
  ASSERT_TRUE(waitForLines(s.path() / "he.inp.chain", 2));
  run.send(SIGTERM);
  EXPECT_EQ(run.wait(), 143);
  const std::string state = readFile(s.path() / "he.inp.chain");
  const std::size_t limit = state.find("\n-");
  ASSERT_NE(limit, std::string::npos);
  std::string changed = state;
  changed[limit + 2] ^= 1;
  s.write("he.inp.chain", changed);
  ProgramRun o = s.run("he.inp -q --resume");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "he.inp.chain: piece 1, limit, is damaged")) << o.err;
  fs::remove(s.path() / "he.inp.chain");
  FinishedPieces(s.path() / "he.inp.chain", state.substr(0, state.find('\n')), false).keep("limit", "abc");
  o = s.run("he.inp -q --resume");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "he.inp.chain: piece 1: damaged line 'abc'")) << o.err;
}

TEST(Faults, InterruptsSayHowToGoOn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Scratch s;
    s.write("he.inp", heliumSearch("$newuoa maxfun=400 $end"));
    const Running run(s, {"he.inp", "--threads", "1"});
    ASSERT_TRUE(waitForLines(s.path() / "he.inp.bsopt", 4));
    run.send(signal);
    EXPECT_EQ(run.wait(), 128 + signal);
    EXPECT_TRUE(contains(readFile(s.path() / "stderr"), "--resume continues"))
        << readFile(s.path() / "stderr");
    EXPECT_EQ(s.run("he.inp -q --resume").status, 0);
    for (const auto& entry : fs::directory_iterator(s.path()))
      EXPECT_FALSE(contains(entry.path().filename().string(), "tmp")) << entry.path();
  }
}

TEST(Faults, LongInputsTakeNoLongerThanTheyMust) {
  const Scratch s;
  std::string keywords = "X\n$nuc ", bytes = "X\n$nuc ",
              values = "X\n$bas bastype='wtbs' $end\n$wtbs wtbspara=";
  for (int i = 0; i < 400000; ++i) {
    keywords += "x=1 ";
    bytes += "\x01 ";
    values += "1000*1 ";
  }
  for (const std::string& text : {keywords, bytes, values}) {
    s.write("x.inp", text + "$end\n");
    const ProgramRun o = s.run("x.inp");
    EXPECT_EQ(o.status, 2);
    EXPECT_FALSE(o.err.empty());
  }
}

/// It once looped for ever in a library's search for memory.
TEST(Faults, ALimitedAddressSpaceIsNoEndlessLoop) {
  const Scratch s;
  s.write("ne.inp", kFaultyNeon);
  for (const char* limits : {"ulimit -v 250000; timeout 60 \"$P\" ne.inp --threads 2 -q",
                             "ulimit -v 1000000; timeout 60 \"$P\" ne.inp --threads 8 -q",
                             "ulimit -v 20000; timeout 60 \"$P\" ne.inp --threads 8 -q"}) {
    const int status = shell(s, std::string(limits) + " >out 2>err");
    EXPECT_NE(status, 124) << limits;
    EXPECT_TRUE(status == 0 || !readFile(s.path() / "err").empty()) << limits << " " << status;
  }
}

/// The least address space, kB, in which the program starts: what its libraries take differs from system to
/// system.
int leastAddressSpace(const Scratch& s) {
  int kilobytes = 4000;
  while (shell(s, "ulimit -v " + std::to_string(kilobytes) + "; \"$P\" --version >out 2>err") != 0 &&
         kilobytes < 1000000)
    kilobytes += 500;
  return kilobytes;
}

TEST(Faults, LackOfMemoryIsSaidAndLeavesFilesAsTheyAre) {
  struct Case {
    const char *input, *advice;
    int status;  // 2 where the request asks for more than there is, 1 where it is found out on the way
  };
  for (const Case& at : {Case{"X\n$nuc znuc=86 $end\n", "not enough memory", 1},
                         Case{"X\n$contrl jobtype='limit' $end\n$nuc znuc=86 $end\n", "not enough memory", 1},
                         Case{"X\n$nuc znuc=36 $end\n$scf fock='stored' $end\n",
                              "use fock='grid', which needs a few MB", 2}}) {
    const Scratch s;
    s.write("x.inp", at.input);
    s.write("x.json", "old\n");
    const std::string limit = "ulimit -v " + std::to_string(leastAddressSpace(s) + 500);
    EXPECT_EQ(shell(s, limit + "; timeout 60 \"$P\" x.inp --threads 2 --json x.json >out 2>err"), at.status)
        << limit;
    EXPECT_TRUE(contains(readFile(s.path() / "err"), at.advice)) << readFile(s.path() / "err");
    EXPECT_EQ(readFile(s.path() / "x.json"), "old\n");
    EXPECT_EQ(std::distance(fs::directory_iterator(s.path()), fs::directory_iterator()), 4);
  }
}

/// The lines of a batch are whole ones, and a job that found no memory is computed by the next run.
TEST(Faults, LackOfMemoryInABatchCostsNoFinishedJob) {
  const Scratch s;
  std::string list;
  for (int i = 0; i < 12; ++i) {
    const std::string name = std::to_string(i) + ".inp";
    s.write(name, "X\n$nuc znuc=" + std::to_string(70 + i) + " nucmdl=1 $end\n");
    list += name + "\n";
  }
  s.write("list", list);
  const std::string batch = "timeout 60 \"$P\" batch --jobs-file list --json-lines out.jsonl --threads 4 -q";
  const std::string limit = "ulimit -v " + std::to_string(leastAddressSpace(s) + 2000);
  const int status = shell(s, limit + "; " + batch + " >out 2>err");
  EXPECT_TRUE(status == 0 || status == 1 || status == 3) << status;
  EXPECT_TRUE(status == 0 ||
              contains(readFile(s.path() / "err") + readFile(s.path() / "out.jsonl"), "memory"));
  EXPECT_EQ(shell(s, batch + " --resume --retry-failed >out 2>err"), 0) << readFile(s.path() / "err");
  const std::string lines = readFile(s.path() / "out.jsonl");
  EXPECT_GE(std::count(lines.begin(), lines.end(), '\n'), 12);
}

}  // namespace
}  // namespace prophet

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

std::string neon(const std::string& fock) {
  return "Neon\n$nuc znuc=10 $end\n" + (fock.empty() ? "" : "$scf fock='" + fock + "' $end\n");
}

/// A machine without GPU, whatever this one has: no CUDA library at all.
class Backend : public ::testing::Test {
 protected:
  Backend() { ::setenv("CUDAPROPHET_CUDA_LIBRARY", "/nowhere/libnone.so", 1); }
  ~Backend() override { ::unsetenv("CUDAPROPHET_CUDA_LIBRARY"); }
  Scratch s;
};

TEST_F(Backend, StoredIntegralsWithoutGpuRunHereAndSayWhy) {
  for (const char* fock : {"stored", "stse", "mtse"}) {
    s.write("ne.inp", neon(fock));
    const ProgramRun o = s.run("ne.inp --verbose --json ne.json");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(contains(o.out, "chosen automatically       CPU, because this program was built")) << o.out;
    EXPECT_EQ(contains(o.out, "same P and Q"), std::string(fock) != "stored") << o.out;
    const auto j = nlohmann::json::parse(test::readFile(s.path() / "ne.json"));
    EXPECT_EQ(j.at("backend"), "cpu");
    EXPECT_EQ(j.at("device"), "CPU");
    s.write("grid.inp", neon("grid"));
    const double grid = std::stod(s.run("grid.inp --quiet").out);
    EXPECT_NEAR(j.at("energy").get<double>(), grid, 1e-9) << fock;
  }
}

TEST_F(Backend, IndexArraysAreForAGpu) {
  s.write("ne.inp", "Neon\n$nuc znuc=10 $end\n$scf fock='stored' mapping='arrays' $end\n");
  const ProgramRun o = s.run("ne.inp --verbose --backend cpu");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "stored super-matrices, index arrays")) << o.out;
  EXPECT_TRUE(contains(o.out, "mapping='arrays' is for a GPU")) << o.out;
}

TEST_F(Backend, WhatTheUserChoseIsNotExplained) {
  s.write("ne.inp", neon("stored"));
  EXPECT_FALSE(contains(s.run("ne.inp --backend cpu").out, "because"));
  s.write("grid.inp", neon(""));
  EXPECT_FALSE(contains(s.run("grid.inp").out, "because"));
}

TEST_F(Backend, CudaWithoutGpuIsAnErrorWithTheReason) {
  for (const char* fock : {"", "stored", "stse"}) {
    s.write("ne.inp", neon(fock));
    const ProgramRun o = s.run("ne.inp --backend cuda");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(contains(o.err, "without its CUDA library")) << o.err;
    EXPECT_FALSE(contains(o.out, "total energy"));
  }
  const ProgramRun batch = s.run("batch ne.inp --json-lines out.jsonl --backend cuda");
  EXPECT_EQ(batch.status, 1);
  EXPECT_TRUE(contains(batch.err, "without its CUDA library")) << batch.err;
  EXPECT_FALSE(std::filesystem::exists(s.path() / "out.jsonl"));
}

TEST_F(Backend, CudaRefusesWhatTheGpuLacks) {
  s.write("grid.inp", neon("grid"));
  ProgramRun o = s.run("grid.inp --backend cuda");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "runs on the CPU")) << o.err;
  s.write("breit.inp", "Neon\n$nuc znuc=10 $end\n$contrl breit='breit' $end\n");
  o = s.run("breit.inp --backend cuda");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "CPU only")) << o.err;
}

TEST_F(Backend, WrongOptionsAreStatusTwo) {
  s.write("ne.inp", neon(""));
  for (const char* arguments : {"--backend gpu", "--device x", "--device 0,1", "--backend cpu --device 0"}) {
    const ProgramRun o = s.run(std::string("ne.inp ") + arguments);
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_TRUE(o.out.empty()) << arguments;
  }
}

/// One search and the ladders are for the CPU, but a GPU that is named is tried.
TEST_F(Backend, ANamedGpuDecidesForOptimisationsToo) {
  s.write("bsopt.inp",
          "He\n$contrl jobtype='bsopt' $end\n$nuc znuc=2 $end\n$bas bastype='wtbs' $end\n"
          "$wtbs wtbspara=0.08,1.95,4.5,1.5 nbs=18 $end\n$newuoa maxfun=5 $end\n");
  s.write(
      "chain.inp",
      "He\n$contrl jobtype='chain' $end\n$nuc znuc=2 $end\n$chain threshold=1e-5 limit=-2.8618133228 $end\n");
  for (const std::string job : {"bsopt", "chain"}) {
    const ProgramRun open = s.run(job + ".inp");
    EXPECT_TRUE(contains(open.out, "chosen automatically: CPU, because fewer than 16"))
        << open.out << open.err;
    std::filesystem::remove(s.path() / (job + ".inp." + job));
    const ProgramRun named = s.run(job + ".inp --device 0");
    EXPECT_TRUE(contains(named.out, "chosen automatically: CPU, because this program was built"))
        << named.out << named.err;
  }
}

TEST_F(Backend, BatchWithoutGpuRunsHereAndSaysWhy) {
  s.write("ne.inp", neon(""));
  const ProgramRun o = s.run("batch ne.inp --verbose --json-lines out.jsonl");
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(contains(o.out, "chosen automatically   CPU, because")) << o.out;
}

/// Names of the shared objects that the loader opened, from its own log.
std::string loadedBy(const Scratch& s, const std::string& arguments) {
  const std::string log = (s.path() / "loader").string();
  ::setenv("LD_DEBUG", "files", 1);
  ::setenv("LD_DEBUG_OUTPUT", log.c_str(), 1);
  EXPECT_EQ(s.run(arguments).status, 0) << arguments;
  ::unsetenv("LD_DEBUG");
  ::unsetenv("LD_DEBUG_OUTPUT");
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(s.path())) {
    if (entry.path().filename().string().rfind("loader.", 0) != 0) continue;
    text += test::readFile(entry.path());
    std::filesystem::remove(entry.path());
  }
  return text;
}

/// With whatever CUDA library this build has in its place.
TEST(BackendLibraries, ARunOnTheCpuLoadsNoGpuLibraryAndNoMpi) {
  const Scratch s;
  s.write("grid.inp", neon(""));
  s.write("stored.inp", neon("stored"));
  for (const char* arguments : {"grid.inp", "grid.inp --backend cpu", "stored.inp --backend cpu",
                                "batch grid.inp --json-lines out.jsonl --backend cpu",
                                "batch grid.inp --json-lines small.jsonl", "--help", "grid.inp --check"}) {
    const std::string log = loadedBy(s, arguments);
    ASSERT_TRUE(contains(log, "libc.so.6")) << "the loader wrote no log: " << arguments;
    EXPECT_FALSE(contains(log, "libcuda")) << arguments;  // driver, runtime, and this program's own library
    EXPECT_FALSE(contains(log, "libcublas")) << arguments;
    EXPECT_FALSE(contains(log, "libcusolver")) << arguments;
    EXPECT_FALSE(contains(log, "libnvidia")) << arguments;
    EXPECT_FALSE(contains(log, "libmpi")) << arguments;
    EXPECT_FALSE(contains(log, "libcudaprophet_mpi")) << arguments;
  }
}

/// The check above can fail: the log does show what a run opens with dlopen.
TEST(BackendLibraries, TheLogShowsALibraryOpenedAtRunTime) {
  const Scratch s;
  s.write("stored.inp", neon("stored"));
  ::setenv("CUDAPROPHET_CUDA_LIBRARY", "/lib/x86_64-linux-gnu/librt.so.1", 1);
  const std::string log = loadedBy(s, "stored.inp");
  ::unsetenv("CUDAPROPHET_CUDA_LIBRARY");
  EXPECT_TRUE(contains(log, "librt.so.1"));
}

}  // namespace
}  // namespace prophet

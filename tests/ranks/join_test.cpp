#include "ranks/join.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "common/error.hpp"

namespace prophet {
namespace {

/// Without a launcher, whatever this test was started by, and without an MPI library.
class Join : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
      ::unsetenv(variable);
    ::setenv("CUDAPROPHET_MPI_LIBRARY", "/nowhere/libnone.so", 1);
  }
  void TearDown() override {
    SetUp();
    ::unsetenv("CUDAPROPHET_MPI_LIBRARY");
  }
  static std::string refusal(JoinMode mode) {
    try {
      joinRanks(mode);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
};

TEST_F(Join, AProcessByItselfIsOneRank) {
  for (const JoinMode mode : {JoinMode::Automatic, JoinMode::Off}) {
    const auto ranks = joinRanks(mode);
    EXPECT_EQ(ranks->size(), 1);
    EXPECT_EQ(ranks->allGather("x"), std::vector<std::string>{"x"});
  }
}

TEST_F(Join, ReadsWhatLaunchersSay) {
  EXPECT_EQ(readLaunch().processes, 1);
  ::setenv("SLURM_STEP_NUM_TASKS", "8", 1);
  EXPECT_EQ(readLaunch().processes, 8);
  ::setenv("OMPI_COMM_WORLD_SIZE", "4", 1);  // mpirun inside a Slurm step
  EXPECT_EQ(readLaunch().processes, 4);
  EXPECT_EQ(readLaunch().variable, "OMPI_COMM_WORLD_SIZE");
}

TEST_F(Join, ManyProcessesWithoutMpiAreAnErrorUnlessTheyAreMeant) {
  ::setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  const std::string text = refusal(JoinMode::Automatic);
  EXPECT_NE(text.find("without its MPI library"), std::string::npos) << text;
  EXPECT_NE(text.find("--mpi off"), std::string::npos) << text;
  EXPECT_EQ(joinRanks(JoinMode::Off)->size(), 1);
  ::setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  EXPECT_EQ(joinRanks(JoinMode::Automatic)->size(), 1);
  EXPECT_NE(refusal(JoinMode::On), "");
}

TEST_F(Join, RefusesAnotherLibrary) {
  ::setenv("CUDAPROPHET_MPI_LIBRARY", "/lib/x86_64-linux-gnu/libm.so.6", 1);
  const std::string text = refusal(JoinMode::On);
  EXPECT_NE(text.find("is not this program's"), std::string::npos) << text;
}

}  // namespace
}  // namespace prophet

#include "frontends/app/environment.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace prophet {
namespace {

/// Without a launcher, whatever this test was started by.
class Environment : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
      ::unsetenv(variable);
  }
  void TearDown() override { SetUp(); }
};

TEST_F(Environment, ReadsWhatLaunchersSay) {
  EXPECT_EQ(environment::launch().processes, 1);
  ::setenv("SLURM_STEP_NUM_TASKS", "8", 1);
  EXPECT_EQ(environment::launch().processes, 8);
  ::setenv("OMPI_COMM_WORLD_SIZE", "4", 1);  // mpirun inside a Slurm step
  EXPECT_EQ(environment::launch().processes, 4);
  EXPECT_EQ(environment::launch().variable, "OMPI_COMM_WORLD_SIZE");
}

TEST_F(Environment, UnsetVariablesAreEmpty) {
  ::unsetenv("CUDAPROPHET_MPI_LIBRARY");
  EXPECT_EQ(environment::mpiLibrary(), "");
  ::setenv("CUDAPROPHET_MPI_LIBRARY", "/x.so", 1);
  EXPECT_EQ(environment::mpiLibrary(), "/x.so");
  ::unsetenv("CUDAPROPHET_MPI_LIBRARY");
}

}  // namespace
}  // namespace prophet

#include <gtest/gtest.h>

#include "operations/result_file/result_file.hpp"
#include "run_program.hpp"

/// `mpirun cudaprophet shape`; built only where there is MPI (PROPHET_MPIRUN names its mpirun).
namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

class MpiShape : public ::testing::Test {
 protected:
  void SetUp() override { test::allowRanksInContainers(); }
  ProgramRun onRanks(const std::string& arguments) const {
    return s.runAs(PROPHET_MPIRUN " -n 3 '" PROPHET_PROGRAM "' shape", arguments + " --threads 1");
  }
  Scratch s;
};

TEST_F(MpiShape, WritesTheFileOfOneProcess) {
  if (!hasResultFiles()) GTEST_SKIP() << "built without HDF5";
  const std::string command =
      "--cone 8,10 --method sum --triangles 1000 --q-grid -1:1:24,-1:1:20,0.1:1:10 --hdf5 ";
  const ProgramRun o = onRanks(command + "ranks.h5");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "3 ranks, the first on CPU, 1 thread")) << o.out;
  EXPECT_EQ(o.out.find("Form factor"), o.out.rfind("Form factor")) << o.out;
  ASSERT_EQ(s.run("shape " + command + "one.h5 --threads 1").status, 0);
  const ProgramRun same = s.runAs("/usr/bin/python3",
                                  "-c \"import h5py; a = h5py.File('ranks.h5'); b = h5py.File('one.h5'); "
                                  "print(abs(a['F'][:] - b['F'][:]).max() < 1e-9)\"");
  if (same.status != 0) GTEST_SKIP() << "needs h5py";
  EXPECT_EQ(same.out, "True\n");
}

TEST_F(MpiShape, AnErrorIsSaidOnce) {
  s.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const ProgramRun o = onRanks("open.obj --q-grid 0,0,0");
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err.find("not closed"), o.err.rfind("not closed")) << o.err;
  EXPECT_EQ(onRanks("--sphere 1").status, 2);
}

}  // namespace
}  // namespace prophet

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "mesh/fft.hpp"
#include "result_file/result_file.hpp"
#include "run_program.hpp"

namespace prophet {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::Scratch;

constexpr const char* kCube =
    "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nv 0 0 10\nv 10 0 10\nv 10 10 10\nv 0 10 10\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// Re F and Im F of the rows of a printed table.
std::vector<std::complex<double>> printed(const std::string& out) {
  std::vector<std::complex<double>> rows;
  std::istringstream text(out.substr(out.find("|F|^2") + 5));
  for (double x, y, z, re, im, square; text >> x >> y >> z >> re >> im >> square;) rows.emplace_back(re, im);
  return rows;
}

TEST(Shape, PrintsSmallGrids) {
  const Scratch s;
  const Outcome o = s.run("shape --sphere 5 --q-grid 0,0,0:0.4:2");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto f = printed(o.out);
  ASSERT_EQ(f.size(), 2u);
  EXPECT_NEAR(f[0].real(), 4 * std::acos(-1.0) / 3 * 125, 1e-9);
  EXPECT_NEAR(f[1].real(), f[0].real() * 3 * (std::sin(2.0) - 2 * std::cos(2.0)) / 8, 1e-9);
}

TEST(Shape, DoesTheSameFromAFile) {
  const Scratch s;
  s.write("cube.obj", kCube);
  const std::string grid = " --q-grid -1:1:4,0.5,0.1:1:3";
  const auto box = printed(s.run("shape --box 10,10,10" + grid).out),
             file = printed(s.run("shape cube.obj" + grid).out);
  ASSERT_EQ(box.size(), 12u);
  ASSERT_EQ(file.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(std::abs(box[i]), std::abs(file[i]), 1e-9);
  const auto metres = printed(s.run("shape cube.obj --unit 0.1 --q-grid 0,0,0").out);
  EXPECT_NEAR(metres.at(0).real(), 1, 1e-12);
}

TEST(Shape, SumsAndTransformsAgree) {
  if (!hasFft()) GTEST_SKIP() << "built without FFTW";
  const Scratch s;
  const std::string rest = " --triangles 3000 --q-grid -1:1:6,-1:1:5,0.1:1:4";
  const auto sum = printed(s.run("shape --cone 5,6 --method sum" + rest).out);
  const auto fft = printed(s.run("shape --cone 5,6 --method fft --tolerance 1e-9" + rest).out);
  ASSERT_EQ(sum.size(), 120u);
  ASSERT_EQ(fft.size(), 120u);
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_LT(std::abs(sum[i] - fft[i]), 1e-6);
}

TEST(Shape, WritesAFileByBlocks) {
  if (!hasResultFiles()) GTEST_SKIP() << "built without HDF5";
  const Scratch s;
  const std::string command =
      "shape --cylinder 8,10 --method sum --triangles 2000 --q-grid -1:1:40,-1:1:60,0.1:1:40 --threads 2 "
      "--hdf5 ";
  ASSERT_EQ(s.run(command + "whole.h5").status, 0);
  ASSERT_EQ(s.run(command + "blocks.h5 --memory 0.001").status, 0);
  EXPECT_FALSE(std::filesystem::exists(s.path() / "blocks.h5.part"));
  const Outcome o = s.runAs("/usr/bin/python3",
                            "-c \"import h5py, numpy as n; a = h5py.File('whole.h5'); b = "
                            "h5py.File('blocks.h5'); print(a['F'].shape, "
                            "a['F'].dtype, len(b['blocks_done']) > 1, abs(a['F'][:] - b['F'][:]).max() < "
                            "1e-9, a['qx'][39], b['qz'][0])\"");
  if (o.status != 0) GTEST_SKIP() << "needs h5py";
  EXPECT_EQ(o.out, "(40, 60, 40) complex128 True True 1.0 0.1\n");
}

TEST(Shape, GoesOnWithAnInterruptedRun) {
  if (!hasResultFiles()) GTEST_SKIP() << "built without HDF5";
  const Scratch s;
  const std::string command =
      "shape --sphere 8 --method sum --triangles 8000 --q-grid -1:1:40,-1:1:40,-1:1:40 --threads 1 --memory "
      "0.01 --hdf5 f.h5";
  for (int milliseconds = 150; milliseconds < 3000; milliseconds += 150) {
    if (!s.runAndKill(command, milliseconds)) break;
    if (std::filesystem::exists(s.path() / "f.h5.part") && milliseconds >= 600) break;
  }
  if (!std::filesystem::exists(s.path() / "f.h5.part"))
    GTEST_SKIP() << "it ended before it could be interrupted";
  EXPECT_FALSE(std::filesystem::exists(s.path() / "f.h5"));
  const Outcome other = s.run(
      "shape --sphere 9 --method sum --triangles 8000 --q-grid -1:1:40,-1:1:40,-1:1:40 --memory 0.01 --hdf5 "
      "f.h5 --resume");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("other settings"));
  const Outcome o = s.run(command + " --resume");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(std::filesystem::exists(s.path() / "f.h5"));
}

TEST(Shape, RefusesWrongInput) {
  const Scratch s;
  s.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  s.write("text.stl", "nothing\n");
  const auto refused = [&](const std::string& arguments, int status, const std::string& part) {
    const Outcome o = s.run("shape " + arguments);
    EXPECT_EQ(o.status, status) << arguments << o.err;
    EXPECT_THAT(o.err, HasSubstr(part)) << arguments;
    EXPECT_EQ(o.out, "");
  };
  refused("--q-grid 0,0,0", 2, "one file");
  refused("--sphere 1 --box 1,1,1 --q-grid 0,0,0", 2, "one file");
  refused("--sphere 1", 2, "--q-grid");
  refused("--sphere -1 --q-grid 0,0,0", 2, "above 0");
  refused("--box 1,1 --q-grid 0,0,0", 2, "3 lengths");
  refused("--sphere 1 --q-grid 0,0", 2, "three axes");
  refused("--sphere 1 --q-grid 0:1:100,0:1:100,0", 2, "--hdf5");
  refused("--sphere 1 --method direct --q-grid 0,0,0", 2, "exact, sum or fft");
  refused("--sphere 1 --tolerance 1e-3 --q-grid 0,0,0", 2, "--method fft");
  refused("--sphere 1 --unit 2 --q-grid 0,0,0", 2, "--unit");
  refused("--sphere 1 --resume --q-grid 0,0,0", 2, "--hdf5");
  refused("open.obj --q-grid 0,0,0", 1, "not closed");
  refused("text.stl --q-grid 0,0,0", 1, "no STL file");
  refused("none.ply --q-grid 0,0,0", 1, "none.ply");
  refused("open.xyz --q-grid 0,0,0", 1, "open.xyz");
  if (hasResultFiles()) refused("--sphere 1 --q-grid 0,0,0 --hdf5 nowhere/f.h5", 1, "nowhere/f.h5");
}

}  // namespace
}  // namespace prophet

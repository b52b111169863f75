#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "core/common/files.hpp"
#include "core/picture/picture.hpp"
#include "matter/shape/scene.hpp"
#include "operations/record/record.hpp"
#include "operations/result_file/result_file.hpp"
#include "run_program.hpp"

namespace prophet {
namespace {

using test::ProgramRun;
using test::Scratch;
using ::testing::HasSubstr;

constexpr const char* kCube =
    "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nv 0 0 10\nv 10 0 10\nv 10 10 10\nv 0 10 10\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// The rows of a printed table; intensities are its last column.
std::istringstream rowsOf(const std::string& out) {
  const std::string last = "intensity (angstrom^6)";
  return std::istringstream(out.substr(std::min(out.size(), out.find(last) + last.size())));
}

/// Re F and Im F of the rows of a printed table.
std::vector<std::complex<double>> printed(const std::string& out) {
  std::vector<std::complex<double>> rows;
  std::istringstream text = rowsOf(out);
  for (double x, y, z, re, im, square; text >> x >> y >> z >> re >> im >> square;) rows.emplace_back(re, im);
  return rows;
}

TEST(Shape, PrintsSmallGrids) {
  const Scratch s;
  const ProgramRun o = s.run("shape --sphere 5 --q-grid 0,0,0:0.4:2");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto f = printed(o.out);
  ASSERT_EQ(f.size(), 2u);
  EXPECT_NEAR(f[0].real(), 4 * std::acos(-1.0) / 3 * 125, 1e-9);
  EXPECT_NEAR(f[1].real(), f[0].real() * 3 * (std::sin(2.0) - 2 * std::cos(2.0)) / 8, 1e-9);
}

TEST(Shape, TakesPoints) {
  const Scratch s;
  const ProgramRun o = s.run("shape --sphere 50 --q '0,0,0.1; 0.03,-0.05,0.06' --json s.json --csv s.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto json = nlohmann::json::parse(test::readFile(s.path() / "s.json"));
  const double q = 0.1, r = 50;
  const double f = 4 * std::acos(-1.0) * (std::sin(q * r) - q * r * std::cos(q * r)) / (q * q * q);
  EXPECT_NEAR(json["points"]["amplitude"][0][0], f, 1e-9 * std::abs(f));
  EXPECT_NEAR(json["points"]["intensity"][0], f * f, 1e-8 * f * f);
  EXPECT_EQ(json["points"]["q"], nlohmann::json::parse("[[0.0, 0.0, 0.1], [0.03, -0.05, 0.06]]"));
  EXPECT_THAT(test::readFile(s.path() / "s.csv"),
              HasSubstr("q_x,q_y,q_z,amplitude_re,amplitude_im,intensity\n0,0,0.1,"));
  // The same points by triangles, and as a grid.
  const auto sum = printed(s.run("shape --sphere 50 --q 0,0,0.1 --method sum").out),
             grid = printed(s.run("shape --sphere 50 --q-grid 0,0,0.1 --method sum").out);
  ASSERT_EQ(sum.size(), 1u);
  ASSERT_EQ(grid.size(), 1u);
  EXPECT_NEAR(sum[0].real(), f, 5e-3 * std::abs(f));
  EXPECT_NEAR(sum[0].real(), grid[0].real(), 1e-6);
}

TEST(Shape, LongTablesEndEarlyInPrint) {
  const Scratch s;
  const ProgramRun o = s.run("shape --sphere 1 --q-grid 0:1:40,0:1:40,0 --csv all.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(printed(o.out).size(), 1000u);
  EXPECT_THAT(o.out, HasSubstr("and 600 more"));
  const std::string csv = test::readFile(s.path() / "all.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n') - std::count(csv.begin(), csv.end(), '#'), 1601);
}

TEST(Shape, FilesHaveTheSamePoints) {
  if (!hasResultFiles()) GTEST_SKIP() << "built without HDF5";
  const Scratch s;
  const std::string command = "shape --cone 5,6 --q '0,0,0.1;0.2,0.1,0.3' ";
  const ProgramRun o = s.run(command + "--hdf5 f.h5 --json a.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(printed(o.out).empty()) << o.out;
  ASSERT_EQ(s.run(command + "--json b.json").status, 0);
  const auto read = [&](const char* name) { return nlohmann::json::parse(test::readFile(s.path() / name)); };
  EXPECT_EQ(read("a.json")["points"], read("b.json")["points"]);
  const ProgramRun h5 = s.runAs("/usr/bin/python3",
                                "-c \"import h5py; a = h5py.File('f.h5'); print(a['F'].shape, a['qx'][1], "
                                "a['qz'][0])\"");
  if (h5.status != 0) GTEST_SKIP() << "needs h5py";
  EXPECT_EQ(h5.out, "(2,) 0.2 0.1\n");
}

TEST(Shape, WorksFromAnInputFile) {
  const Scratch s;
  s.write("s.inp", "a sphere\n $contrl jobtype='shape' $end\n $shape sphere=50 q=0,0,0.1 $end\n");
  const ProgramRun o = s.run("s.inp --json a.json");
  ASSERT_EQ(o.status, 0) << o.err;
  ASSERT_EQ(s.run("shape --sphere 50 --q 0,0,0.1 --json b.json").status, 0);
  const auto read = [&](const char* name) { return nlohmann::json::parse(test::readFile(s.path() / name)); };
  EXPECT_EQ(read("a.json")["points"], read("b.json")["points"]);
  EXPECT_EQ(read("a.json")["points"]["amplitude"].size(), 1u);
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
  EXPECT_FALSE(std::filesystem::exists(s.path() / "blocks.h5.parts"));
  const ProgramRun o = s.runAs("/usr/bin/python3",
                               "-c \"import h5py, numpy as n; a = h5py.File('whole.h5'); b = "
                               "h5py.File('blocks.h5'); print(a['F'].shape, "
                               "a['F'].dtype, abs(a['F'][:] - b['F'][:]).max() < "
                               "1e-9, a['qx'][39], b['qz'][0])\"");
  if (o.status != 0) GTEST_SKIP() << "needs h5py";
  EXPECT_EQ(o.out, "(40, 60, 40) complex128 True 1.0 0.1\n");
}

TEST(Shape, GoesOnWithAnInterruptedRun) {
  if (!hasResultFiles()) GTEST_SKIP() << "built without HDF5";
  const Scratch s;
  const std::string command =
      "shape --sphere 8 --method sum --triangles 20000 --q-grid -1:1:40,-1:1:40,-1:1:40 --threads 1 --hdf5 "
      "f.h5 ";
  const std::filesystem::path parts = s.path() / "f.h5.parts";
  constexpr std::size_t kTile = 8 * 40 * 40 * 16;  // bytes
  const auto hasTile = [&] { return std::filesystem::exists(parts) && file_size(parts) > kTile; };
  for (int milliseconds = 300; milliseconds < 6000 && !hasTile(); milliseconds += 300) {
    std::filesystem::remove(parts);
    if (!s.runAndKill(command + "--memory 0.001", milliseconds)) break;
  }
  if (!hasTile()) GTEST_SKIP() << "it ended before it could be interrupted";
  EXPECT_FALSE(std::filesystem::exists(s.path() / "f.h5"));
  const std::string kept = test::readFile(s.path() / "f.h5.parts");
  const ProgramRun anew = s.run(command + "--memory 0.001");
  EXPECT_EQ(anew.status, 2);
  EXPECT_THAT(anew.err, HasSubstr("continue it with --resume"));
  const ProgramRun other = s.run(
      "shape --sphere 9 --method sum --triangles 20000 --q-grid -1:1:40,-1:1:40,-1:1:40 --memory 0.001 "
      "--hdf5 f.h5 --resume");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("another request"));
  EXPECT_EQ(test::readFile(s.path() / "f.h5.parts"), kept);
  // Tiles keep the size that the file was begun with, whatever the memory.
  const ProgramRun o = s.run(command + "--resume --memory 1 --json resumed.json");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_FALSE(std::filesystem::exists(s.path() / "f.h5.parts"));
  const std::string file = test::readFile(s.path() / "f.h5");
  std::filesystem::remove(s.path() / "f.h5");
  // The file and the table have the tiles of both runs.
  ASSERT_EQ(s.run(command + "--memory 0.001 --json whole.json").status, 0);
  const auto read = [&](const char* name) {
    return nlohmann::json::parse(test::readFile(s.path() / name))["points"]["amplitude"];
  };
  EXPECT_EQ(read("resumed.json").size(), 64000u);
  EXPECT_EQ(read("resumed.json"), read("whole.json"));
  EXPECT_TRUE(test::readFile(s.path() / "f.h5") == file);
}

constexpr const char* kDetector = " --alpha-i 0.2 --alpha-f 0:1.5:7 --two-theta-f -1:1:9 --wavelength 1";

/// Last numbers of the rows of a detector's table: the intensities.
std::vector<double> intensities(const std::string& out) {
  std::vector<double> list;
  std::istringstream text = rowsOf(out);
  for (double alpha, theta, re, im, square, intensity;
       text >> alpha >> theta >> re >> im >> square >> intensity;)
    list.push_back(intensity);
  return list;
}

TEST(Shape, LooksThroughADetector) {
  const Scratch s;
  const std::string command = std::string("shape --cylinder 20,30") + kDetector;
  const ProgramRun born = s.run(command), bare = s.run(command + " --substrate delta=0,beta=0"),
                   standing = s.run(command + " --substrate delta=6e-6,beta=2e-8");
  ASSERT_EQ(born.status, 0) << born.err;
  ASSERT_EQ(standing.status, 0) << standing.err;
  const auto a = intensities(born.out), b = intensities(bare.out), c = intensities(standing.out);
  ASSERT_EQ(a.size(), 63u);
  ASSERT_EQ(c.size(), 63u);
  double largest = 0;
  for (std::size_t i = 0; i < 63; ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-9 * a[0]) << i;
    largest = std::max(largest, std::abs(c[i] - a[i]));
  }
  EXPECT_GT(largest, 0.5 * a[0]);
  // By triangles at their centres; all is symmetric to the plane of the beam.
  const auto sum = intensities(s.run(command + " --method sum --triangles 8000").out);
  ASSERT_EQ(sum.size(), 63u);
  for (std::size_t i = 0; i < 63; ++i) EXPECT_NEAR(sum[i], a[i], 0.01 * a[4]) << i;
  for (std::size_t row = 0; row < 7; ++row) EXPECT_NEAR(c[9 * row], c[9 * row + 8], 1e-9 * a[4]);
}

TEST(Shape, PutsParticlesSideBySide) {
  const Scratch s;
  const auto one = intensities(s.run(std::string("shape --sphere 20") + kDetector).out);
  const auto pair = intensities(
      s.run(std::string("shape --sphere 20 --lattice 100:2 --lattice-rotation 90") + kDetector).out);
  const auto crystal =
      intensities(s.run(std::string("shape --sphere 20 --paracrystal 100:10:20") + kDetector).out);
  ASSERT_EQ(pair.size(), 63u);
  ASSERT_EQ(crystal.size(), 63u);
  const double degree = std::acos(-1.0) / 180;
  for (std::size_t i = 0; i < 63; ++i) {
    const double out = static_cast<double>(i / 9) * 0.25 * degree,
                 side = (static_cast<double>(i % 9) * 0.25 - 1) * degree;
    const double qy = 2 * std::acos(-1.0) * std::cos(out) * std::sin(side);
    EXPECT_NEAR(pair[i], one[i] * (1 + std::cos(100 * qy)), 1e-9 * one[4]) << i;
  }
}

TEST(Shape, WritesImages) {
  if (!hasResultFiles() || !hasPng()) GTEST_SKIP() << "built without HDF5 or libpng";
  const Scratch s;
  const std::string command =
      std::string("shape --box 20,30,40 --substrate delta=6e-6,beta=2e-8 --lattice 100:5 ") +
      "--alpha-i 0.2 --alpha-f 0:2:40 --two-theta-f -1:1:31 --wavelength 1 --hdf5 f.h5 --png ";
  const ProgramRun o = s.run(command + "a.png");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string image = test::readFile(s.path() / "a.png");
  EXPECT_EQ(image.substr(16, 8), std::string("\0\0\0\37\0\0\0\50", 8));  // 31 x 40
  // Without a file beside it, the same picture.
  ASSERT_EQ(s.run(std::string("shape --box 20,30,40 --substrate delta=6e-6,beta=2e-8 --lattice 100:5 ") +
                  "--alpha-i 0.2 --alpha-f 0:2:40 --two-theta-f -1:1:31 --wavelength 1 --png b.png")
                .status,
            0);
  EXPECT_EQ(test::readFile(s.path() / "b.png"), image);
  const ProgramRun h5 = s.runAs(
      "/usr/bin/python3",
      "-c \"import h5py, numpy as n; a = h5py.File('f.h5'); print(a['F'].shape, a['intensity'].shape, "
      "a['alpha_f'][39], a['two_theta_f'][0], a['qy'].shape, bool((a['intensity'][:] <= 5.001 * "
      "abs(a['F'][:])**2).all()))\"");
  if (h5.status != 0) GTEST_SKIP() << "needs h5py";
  EXPECT_EQ(h5.out, "(40, 31) (40, 31) 2.0 -1.0 (40, 31) True\n");
}

/// A particle on a film in two kinds, at several angles of the beam and turns of the sample.
constexpr const char* kScene = R"(materials:
  gold: {delta: 1.1e-5, beta: 1.2e-6}
  film: {delta: 1.5e-6, beta: 2e-9}
  silicon: {delta: 3.2e-6, beta: 3e-8}
layers:
  - {material: film, thickness: 300, roughness: 4}
  - {material: silicon}
particles:
  - {box: [60, 80, 50], material: gold, weight: 2}
  - {sphere: 40, material: gold, bottom: -200, size: {sigma: 0.05, points: 9}}
)";

nlohmann::json pointsOf(const Scratch& s, const std::string& arguments) {
  const ProgramRun o = s.run("shape scene.yaml --wavelength 1 --json s.json " + arguments);
  EXPECT_EQ(o.status, 0) << arguments << o.err;
  return o.status == 0 ? nlohmann::json::parse(test::readFile(s.path() / "s.json")) : nlohmann::json();
}

TEST(Shape, ScenesAtManyAngles) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const Scratch s;
  s.write("scene.yaml", kScene);
  const std::string pixels = " --alpha-f 0.2:1:3 --two-theta-f -1:1:4";
  const auto all = pointsOf(s, "--alpha-i 0.1:0.3:3 --omega 0:45:2" + pixels)["points"];
  EXPECT_EQ(all["cross_section"].size(), 72u);
  EXPECT_EQ(all["alpha_i"][24], 0.2);
  EXPECT_EQ(all["omega"][36], 45.0);
  const auto middle = pointsOf(s, "--alpha-i 0.2" + pixels)["points"],
             mean = pointsOf(s, "--alpha-i 0.2 --omega 0:45:2 --in-plane-average" + pixels)["points"];
  const double k = 2 * std::acos(-1.0);
  for (std::size_t i = 0; i < 12; ++i) {
    const double intensity = middle["intensity"][i];
    EXPECT_NEAR(all["intensity"][24 + i], intensity, 1e-12 * intensity);
    const double both = 0.5 * (intensity + all["intensity"][36 + i].get<double>());
    EXPECT_NEAR(mean["intensity"][i], both, 1e-12 * both);
    EXPECT_NEAR(middle["cross_section"][i], intensity * std::pow(k, 4) / (16 * std::pow(std::acos(-1.0), 2)),
                1e-12 * middle["cross_section"][i].get<double>());
  }
}

TEST(Shape, ResumesImagesInTiles) {
  if (!hasScenes() || !hasResultFiles()) GTEST_SKIP() << "built without yaml-cpp or HDF5";
  const Scratch s;
  s.write("scene.yaml", kScene);
  const std::string angles = "--alpha-i 0.1:0.3:3 --omega 0:45:2 --alpha-f 0.2:1:3 --two-theta-f -1:1:4";
  const auto table = pointsOf(s, angles)["points"];
  // A tile of four rows lies in two images.
  ASSERT_EQ(s.run("shape scene.yaml --wavelength 1 " + angles + " --hdf5 f.h5 --memory 0.001").status, 0);
  const ProgramRun h5 =
      s.runAs("/usr/bin/python3",
              "-c \"import h5py; a = h5py.File('f.h5'); print(a['intensity'].shape, "
              "a['omega'][1]); [print(repr(x)) for x in a['intensity'][:].ravel().tolist()]\"");
  if (h5.status != 0) GTEST_SKIP() << "needs h5py";
  std::istringstream lines(h5.out);
  std::string first;
  std::getline(lines, first);
  EXPECT_EQ(first, "(3, 2, 3, 4) 45.0");
  for (std::size_t i = 0; i < 72; ++i) {
    double value = 0;
    lines >> value;
    EXPECT_EQ(value, table["intensity"][i].get<double>()) << i;
  }
}

/// Axes of a grid and of a detector with numbers at any distances, from the command and from files.
TEST(Shape, TakesIrregularAxes) {
  const Scratch s;
  s.write("angles.txt", "alpha_f\n0.1\n0.2\n\n0.5\n");
  s.write("wrong.txt", "# angles\n0.1\n0.3\n0.2\n");
  s.write("text.txt", "0.1\n0.3\nlow\n");
  using nlohmann::json;
  const auto pointsIn = [&](const char* file) {
    return json::parse(test::readFile((s.path() / file).string()))["points"];
  };
  const std::string grid = "shape --sphere 50 --q-grid '0 0.1 0.4,0.2,-0.1:0.1:2' --json ";
  EXPECT_EQ(s.run(grid + "g.json").status, 0);
  EXPECT_EQ(s.run("shape --sphere 50 --q "
                  "'0,0.2,-0.1;0,0.2,0.1;0.1,0.2,-0.1;0.1,0.2,0.1;0.4,0.2,-0.1;0.4,0.2,0.1' --json q.json")
                .status,
            0);
  EXPECT_EQ(pointsIn("g.json"), pointsIn("q.json"));
  const std::string beam = " --alpha-i '0.1 0.3' --two-theta-f 0 --wavelength 1";
  EXPECT_EQ(s.run("shape --sphere 50 --alpha-f @angles.txt --json d.json" + beam).status, 0);
  EXPECT_EQ(pointsIn("d.json")["alpha_f"], json::parse("[0.1, 0.2, 0.5, 0.1, 0.2, 0.5]"));
  EXPECT_EQ(pointsIn("d.json")["alpha_i"], json::parse("[0.1, 0.1, 0.1, 0.3, 0.3, 0.3]"));
  for (const auto& [arguments, part] :
       {std::pair{"--alpha-f @wrong.txt",
                  "--alpha-f: wrong.txt:4: found 0.2 after 0.3; expected numbers that increase"},
        {"--alpha-f @text.txt", "--alpha-f: text.txt:3:"},
        {"--alpha-f '0 0.3 0.2'", "--alpha-f: number 3 of the list: found 0.2 after 0.3"},
        {"--alpha-f '0 0.3 0.4' --alpha-i 0.2 --png a.png", "--png: is the image of a regular detector"}}) {
    const std::string rest = std::string(arguments).find("alpha-i") == std::string::npos
                                 ? beam
                                 : " --two-theta-f 0 --wavelength 1";
    const ProgramRun o = s.run(std::string("shape --sphere 50 ") + arguments + rest);
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_THAT(o.err, HasSubstr(part)) << arguments;
  }
  EXPECT_THAT(s.run("shape --sphere 50 --method fft --q-grid '0 0.1 0.4,0,0'").err,
              HasSubstr("fft needs equidistant axes"));
}

TEST(Shape, ComparesWithMeasurements) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const Scratch s;
  s.write("scene.yaml", kScene);
  s.write("pixels.txt", "alpha_f two_theta_f\n0.3 0.1\n0.5 -0.7\n0.9 0.2\n1.1 0\n");
  const auto computed = pointsOf(s, "--alpha-i 0.2 --pixels pixels.txt")["points"];
  EXPECT_EQ(computed["two_theta_f"][1], -0.7);
  std::string text;
  for (std::size_t i = 0; i < 4; ++i)
    text += fmt::format("{} {} {}\n", computed["alpha_f"][i].get<double>(),
                        computed["two_theta_f"][i].get<double>(),
                        2e3 * computed["intensity"][i].get<double>() + 7);
  s.write("measured.txt", text);
  const auto found =
      pointsOf(s, "--alpha-i 0.2 --against measured.txt --weights equal --constant-background");
  EXPECT_NEAR(found["scale"], 2e3, 1e-8);
  EXPECT_NEAR(found["background"], 7, 1e-8);
  EXPECT_LT(found["r"], 1e-10);
  EXPECT_GT(pointsOf(s, "--alpha-i 0.2 --against measured.txt --weights equal")["r"], 1e-4);
  // What is below 0 is no count; of other intensities a scale below 0 is told.
  s.write("negative.txt", "0 0 0.1 -1\n0 0.1 0.2 7\n0.1 0 0 9\n");
  auto o = s.run("shape --sphere 20 --against negative.txt --json q.json");
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, HasSubstr("negative.txt:1: found the intensity -1; expected counts of 0 or more"));
  s.write("negative.txt", "0 0 0.1 -1\n0 0.1 0.2 -7\n0.1 0 0 -9\n");
  o = s.run("shape --sphere 20 --against negative.txt --weights equal --json q.json");
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.err, HasSubstr("the scale is below 0"));
  std::filesystem::remove(s.path() / "q.json");
  // Born's approximation at momenta of a file.
  s.write("q.txt", "0 0 0.1 5\n0 0.1 0.2 7\n0.1 0 0 9 \n");
  ASSERT_EQ(s.run("shape --sphere 20 --against q.txt --json q.json").status, 0);
  EXPECT_EQ(nlohmann::json::parse(test::readFile(s.path() / "q.json"))["points"]["measured"][2], 9.0);
}

TEST(Shape, RefusesWrongScenes) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const Scratch s;
  s.write("scene.yaml", kScene);
  s.write("wrong.yaml", "particles:\n  - {spher: 3}\n");
  s.write("short.txt", "1\n");
  s.write("both.txt", "0.3 0.1 5\n0.4 0.1 6\n0.5 0.1 7\n");
  const std::string beam = " --alpha-i 0.2 --wavelength 1",
                    detector = beam + " --alpha-f 0.5 --two-theta-f 0";
  for (const auto& [arguments, status, part] :
       {std::tuple{"wrong.yaml --q 0,0,0", 1,
                   "wrong.yaml:2:6: a particle has no key 'spher'; did you mean 'sphere'?"},
        {"scene.yaml --q 0,0,0", 2, "has layers, which need a beam"},
        {"none.yaml --q 0,0,0", 1, "none.yaml"}})
    EXPECT_THAT(s.run(std::string("shape ") + arguments).err, HasSubstr(part)) << status;
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    const ProgramRun o = s.run("shape " + arguments);
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_THAT(o.err, HasSubstr(part)) << arguments;
  };
  refused("scene.yaml --substrate delta=1e-6,beta=0" + detector, "layers of the scene");
  refused("scene.yaml --unit 2" + detector, "--unit");
  refused("scene.yaml --pixels short.txt" + beam, "short.txt:1: found 1 column; expected alpha_f");
  refused("scene.yaml --against both.txt --alpha-f 0.5" + beam, "--alpha-f: is left out");
  refused("--sphere 5 --against both.txt --alpha-i 0.1:0.2:2 --wavelength 1", "compared with one image");
  refused("--sphere 5 --png a.png --alpha-i 0.1:0.2:2 --wavelength 1 --alpha-f 0:1:3 --two-theta-f 0:1:3",
          "is one image");
  refused("--sphere 5 --material delta=1e-6,beta=0 --q 0,0,0", "belongs to a detector");
  refused("--sphere 5 --in-plane-average" + detector, "requires --omega");
}

TEST(Shape, RefusesWrongInput) {
  const Scratch s;
  s.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  s.write("text.stl", "nothing\n");
  const auto refused = [&](const std::string& arguments, int status, const std::string& part) {
    const ProgramRun o = s.run("shape " + arguments);
    EXPECT_EQ(o.status, status) << arguments << o.err;
    EXPECT_THAT(o.err, HasSubstr(part)) << arguments;
    EXPECT_EQ(o.out, "");
  };
  refused("--q-grid 0,0,0", 2, "one file");
  refused("--sphere 1 --box 1,1,1 --q-grid 0,0,0", 2, "one file");
  refused("--sphere 1", 2, "--q-grid");
  refused("--sphere -1 --q-grid 0,0,0", 2, "more than 0");
  refused("--box 1,1 --q-grid 0,0,0", 2, "3 lengths");
  refused("--sphere 1 --q-grid 0,0", 2, "three axes");
  refused("--sphere 1 --q-grid 0:1:100,0:1:101,0:1:100", 2, "--hdf5");
  refused("--sphere 1 --method direct --q-grid 0,0,0", 2, "'exact', 'sum' or 'fft'");
  refused("--sphere 1 --tolerance 1e-3 --q-grid 0,0,0", 2, "method fft");
  refused("--sphere 1 --unit 2 --q-grid 0,0,0", 2, "--unit");
  refused("--sphere 1 --resume --q-grid 0,0,0", 2, "requires --hdf5");
  refused("open.obj --q-grid 0,0,0", 2, "not closed");
  refused("text.stl --q-grid 0,0,0", 2, "not an STL file");
  refused("none.ply --q-grid 0,0,0", 2, "none.ply");
  refused("open.xyz --q-grid 0,0,0", 2, "open.xyz");
  const std::string detector = kDetector;
  refused("--sphere 1 --q-grid 0,0,0" + detector, 2, "--q-grid");
  refused("--sphere 1 --alpha-f 0:1:3 --alpha-i 0.1 --wavelength 1", 2, "--two-theta-f: is missing");
  refused("--sphere 1 --method fft" + detector, 2, "regular grid");
  refused("--sphere 1 --substrate delta=1" + detector, 2, "delta and beta");
  refused("--sphere 1 --substrate delta=x,beta=0" + detector, 2, "delta=NUMBER");
  refused(
      "--sphere 1 --substrate delta=1e-6,beta=0 --alpha-f -1:1:3 --two-theta-f 0 --alpha-i 0.1 --wavelength "
      "1",
      2, "horizon");
  refused("--sphere 1 --lattice 100 --q-grid 0,0,0", 2, "DISTANCE:COUNT");
  refused("--sphere 1 --lattice 100:5,100:5 --lattice-angle 180 --q-grid 0,0,0", 2, "parallel");
  refused("--sphere 1 --lattice 100:5 --paracrystal 100:5 --q-grid 0,0,0", 2, "together");
  refused("--sphere 1 --png a.png --q-grid 0,0,0", 2, "detector");
  refused("--sphere 1 --precision half --q-grid 0,0,0", 2, "--precision");
  refused("--sphere 1 --mpi perhaps --q-grid 0,0,0", 2, "--mpi");
  refused("--sphere 1 --method exact --backend cuda --q-grid 0,0,0", 2, "backend cuda takes sum or fft");
  refused("--sphere 1 --q 0,0", 2, "--q: found");
  refused("--sphere 1 --q 0,0,0 --q-grid 0,0,0", 2, "needs one of");
  refused("--sphere 1 --q 0,0,0 --method fft", 2, "regular grid");
  refused("--sphere 1 --lattice-angle 60 --q 0,0,0", 2, "requires --lattice or --paracrystal");
  if (hasResultFiles()) refused("--sphere 1 --q-grid 0,0,0 --hdf5 nowhere/f.h5", 2, "nowhere/f.h5");
}

TEST(Shape, AMissingGpuIsNoWrongCommandLine) {
  const Scratch s;
  const auto without = [&](const std::string& arguments) {
    return s.runAs("CUDAPROPHET_CUDA_LIBRARY=/none '" PROPHET_PROGRAM "'",
                   "shape --sphere 5 --method sum --q 0,0,1 " + arguments);
  };
  const ProgramRun o = without("--backend cuda");
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_THAT(o.err, HasSubstr("backend cuda: "));
  EXPECT_EQ(without("--device 0").status, 0);
}

TEST(Shape, TrianglesOfHdf5MayBeInsideOut) {
  if (!hasResultFiles()) GTEST_SKIP() << "built without HDF5";
  const Scratch s;
  // The faces of a cube of edge 2 as area, normal and centre.
  const auto cube = [](double area, double sign, double place) {
    Eigen::VectorXd numbers(42);
    for (int face = 0; face < 6; ++face) {
      Eigen::Vector3d out = Eigen::Vector3d::Zero();
      out(face / 2) = face % 2 ? 1 : -1;
      numbers(7 * face) = area;
      numbers.segment<3>(7 * face + 1) = sign * out;
      numbers.segment<3>(7 * face + 4) = out + Eigen::Vector3d::Constant(place);
    }
    return numbers;
  };
  const auto run = [&](const Eigen::VectorXd& numbers) {
    Record record;
    record.tables.push_back({"shape", {{"shape_def", "1", numbers}}});
    writeFileAtomically((s.path() / "c.h5").string(), recordHdf5(record));
    return s.run("shape c.h5 --q-grid 0,0,0");
  };
  for (const double sign : {1.0, -1.0}) {
    const ProgramRun o = run(cube(4, sign, 5));
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NEAR(printed(o.out).at(0).real(), 8, 1e-9) << sign;
  }
  EXPECT_EQ(run(cube(0, 1, 0)).status, 2);
  EXPECT_EQ(run(cube(4, 1, 1e300)).status, 2);
}

TEST(Shape, AnglesAndWavelengthsAreNumbers) {
  const Scratch s;
  for (const char* options : {"--q-grid 0,0,0 --lattice 20:3 --lattice-rotation nan",
                              "--q-grid 0,0,0 --lattice 20:3,30:3 --lattice-angle inf",
                              "--alpha-i 0.2 --alpha-f 0:1:3 --two-theta-f 0:1:3 --wavelength 1e-300",
                              "--alpha-i 0.2 --alpha-f 0:1:3 --two-theta-f 0:1:3 --wavelength nan"}) {
    const ProgramRun o = s.run(std::string("shape --sphere 5 ") + options);
    EXPECT_EQ(o.status, 2) << options << o.err;
  }
}

}  // namespace
}  // namespace prophet
